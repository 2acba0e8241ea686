// The conditions of a measurement as found: versions, hardware, pins. A flat list of facts that compares key by key.
#pragma once

#include <map>
#include <string>

namespace stepgate {

/// Facts by key. Keys in use:
/// in process: torch, cuda_runtime, cudnn, cublas, cublaslt and, of a case with several ranks, nccl (of the loaded
///   libraries), device, gpu, gpu_pci_bus_id, gpu_compute_capability
///   ("9.0"), gpu_memory_bytes, dtype, threads, interop_threads, isa, onednn_isa, compiler, build_type, malloc,
///   data_digest, case_params, workload_version, steps, seed; the switches of LibTorch that no key holds
///   (core/record/fact_table.h), missing in older records; default_dtype, affinity and priority only where the
///   program changed them; on cuda tf32_matmul, tf32_cudnn, cudnn_benchmark ("on" or "off"), alloc_conf
///   (PYTORCH_ALLOC_CONF or PYTORCH_CUDA_ALLOC_CONF, or "default"), cuda_library (the file with the cudaLaunchKernel
///   that the process called) and cuda_library_digest; gpu is "emulated H100, model 1" where that is an emulated one
/// launcher:   on cuda gpu_power_limit_w, gpu_ecc, gpu_compute_mode, gpu_mig, gpu_pcie_link ("gen5 x16", the best of
///   GPU and slot), gpu_environment (variables that change times on a GPU, or "default"), injected_tools (names of
///   variables that load a tool into the process; missing where there are none)
/// host:       cpu_model, cpu_count, kernel, hypervisor, memory_total_bytes, gpu_driver, affinity, governor, turbo,
///   thp, aslr
using Fingerprint = std::map<std::string, std::string>;

/// Whether a process on an emulated GPU has these facts.
inline bool is_on_emulated_gpu(const Fingerprint& facts) {
  const auto gpu = facts.find("gpu");
  return gpu != facts.end() && gpu->second.starts_with("emulated ");
}

/// One fact in which a measurement differs from its baseline.
struct FingerprintMismatch {
  std::string key;
  std::string expected;  ///< in the baseline; "" if it lacks the fact
  std::string found;     ///< in the measurement; "" if the fact is missing
};

}  // namespace stepgate
