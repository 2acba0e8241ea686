#include "baseline/baseline_key.h"

#include <array>
#include <span>
#include <string_view>

#include "core/record/fact_kind.h"
#include "core/record/gpu_setting_facts.h"

namespace stepgate {
namespace {

// The pins and inputs of group exact. Hardware is not among them: under these pins counts, bytes and losses are
// bit-equal on every machine (docs/design/metrics.md, "Portable scope").
constexpr std::array<std::string_view, 11> portable_facts = {
    "torch",       "dtype", "threads", "isa", "onednn_isa", "data_digest", "case_params", "workload_version",
    "exact_steps", "seed",  "device"};

// The facts that times depend on. The kernel is not among them: it is updated often, and the reference case shows the
// effect.
constexpr std::array<std::string_view, 19> runner_facts = {
    "torch",       "cuda_runtime", "cudnn",  "gpu",         "gpu_driver",     "cpu_model",
    "threads",     "malloc",       "dtype",  "data_digest", "case_params",    "workload_version",
    "timed_steps", "seed",         "device", "build_type",  "affinity_count", "benchmark_build_type",
    "guard"};

// What decides which kernels and copies a process starts and how its allocator rounds. A library picks its kernels by
// the kind of GPU, its memory and the versions, and the switches pick others; the driver loads them, and within one
// major version it does not change them (docs/decisions/0014-exact-baselines-of-a-gpu.md).
constexpr std::array<std::string_view, 18> device_exact_facts = {"gpu",
                                                                 "gpu_compute_capability",
                                                                 "gpu_memory_bytes",
                                                                 "cuda_runtime",
                                                                 "cudnn",
                                                                 "torch",
                                                                 "dtype",
                                                                 "tf32_matmul",
                                                                 "tf32_cudnn",
                                                                 "cudnn_benchmark",
                                                                 "alloc_conf",
                                                                 "threads",
                                                                 "data_digest",
                                                                 "case_params",
                                                                 "workload_version",
                                                                 "exact_steps",
                                                                 "seed",
                                                                 "device"};

/// And every fact that a key lacks where the program leaves it as LibTorch has it.
Fingerprint only(const Fingerprint& facts, std::span<const std::string_view> keys) {
  Fingerprint kept;
  for (std::string_view key : keys) {
    const auto at = facts.find(std::string(key));
    if (at != facts.end()) kept.insert(*at);
  }
  for (const auto& fact : facts) {
    const FactSource* row = find_fact(fact.first);
    if (row != nullptr && !row->if_missing.empty()) kept.insert(fact);
  }
  return kept;
}

}  // namespace

Fingerprint portable_key(const Fingerprint& exact_fingerprint) { return only(exact_fingerprint, portable_facts); }

Fingerprint runner_key(const Fingerprint& timed_fingerprint) {
  Fingerprint key = only(timed_fingerprint, runner_facts);
  key.merge(only(timed_fingerprint, gpu_setting_facts));
  return key;
}

Fingerprint device_exact_key(const Fingerprint& exact_fingerprint) {
  Fingerprint key = only(exact_fingerprint, device_exact_facts);
  if (const auto driver = exact_fingerprint.find("gpu_driver"); driver != exact_fingerprint.end())
    key["gpu_driver_major"] = driver->second.substr(0, driver->second.find('.'));
  return key;
}

}  // namespace stepgate
