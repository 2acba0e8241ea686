// The key of a baseline: the facts of a fingerprint that must match before a comparison.
#pragma once

#include "core/record/fingerprint.h"

namespace stepgate {

/// From the in-process facts of group exact: torch, dtype, default_dtype, threads, isa, onednn_isa, data_digest,
/// case_params, workload_version, exact_steps, seed, device. A missing fact stays missing.
Fingerprint portable_key(const Fingerprint& exact_fingerprint);

/// From the facts of group timed: torch, cuda_runtime, cudnn, gpu, gpu_driver, cpu_model, threads, malloc, dtype,
/// default_dtype, data_digest, case_params, workload_version, timed_steps, seed, device, build_type, affinity_count,
/// and those of core/record/gpu_setting_facts.h.
Fingerprint runner_key(const Fingerprint& timed_fingerprint);

/// From the facts of group exact on a GPU: gpu, gpu_compute_capability, gpu_memory_bytes, cuda_runtime, cudnn, torch,
/// dtype, default_dtype, tf32_matmul, tf32_cudnn, cudnn_benchmark, alloc_conf, threads, data_digest, case_params,
/// workload_version, exact_steps, seed, device; and gpu_driver_major, the first number of gpu_driver ("580.65.06" ->
/// "580"). Neither the CPU nor the number of CPUs is among them: they change no counter. A missing fact stays missing.
Fingerprint device_exact_key(const Fingerprint& exact_fingerprint);

}  // namespace stepgate
