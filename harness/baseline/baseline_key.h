// The key of a baseline: the facts of a fingerprint that must match before a comparison.
#pragma once

#include "core/record/fingerprint.h"

namespace stepgate {

/// From the in-process facts of group exact: torch, dtype, threads, isa, onednn_isa, data_digest, case_params,
/// workload_version, exact_steps, seed, device. A missing fact stays missing.
Fingerprint portable_key(const Fingerprint& exact_fingerprint);

/// From the facts of group timed: torch, cuda_runtime, cudnn, gpu, gpu_driver, cpu_model, threads, malloc, dtype,
/// data_digest, case_params, workload_version, timed_steps, seed, device, build_type, affinity_count.
Fingerprint runner_key(const Fingerprint& timed_fingerprint);

}  // namespace stepgate
