#include "core/record/fact_kind.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

// LibTorch, CUDA and cuDNN are installed on the machine: another version of them says nothing about this tree. So are
// the instruction sets, which group exact pins: a CPU that lacks them shows here, and a program that changes the pin
// gives no record.
constexpr auto fact_rows = std::to_array<FactSource>({
    {"tf32_matmul", FactKind::program},
    {"tf32_cudnn", FactKind::program},
    {"cudnn_benchmark", FactKind::program},
    {"default_dtype", FactKind::program, "float32"},

    {"threads", FactKind::asked},
    {"interop_threads", FactKind::asked},
    {"affinity", FactKind::asked},
    {"priority", FactKind::asked},
    {"cublas_workspace", FactKind::asked},
    {"device", FactKind::asked},
    {"seed", FactKind::asked},
    {"exact_steps", FactKind::asked},
    {"timed_steps", FactKind::asked},

    {"dtype", FactKind::tree},
    {"data_digest", FactKind::tree},
    {"case_params", FactKind::tree},
    {"workload_version", FactKind::tree},
    {"build_type", FactKind::tree},
    {"benchmark_build_type", FactKind::tree},
    {"malloc", FactKind::tree},
    {"alloc_conf", FactKind::tree},

    {"torch", FactKind::machine},
    {"cuda_runtime", FactKind::machine},
    {"cudnn", FactKind::machine},
    {"isa", FactKind::machine},
    {"onednn_isa", FactKind::machine},
    {"cpu_model", FactKind::machine},
    {"affinity_count", FactKind::machine},
    {"guard", FactKind::machine},
    {"gpu", FactKind::machine},
    {"gpu_compute_capability", FactKind::machine},
    {"gpu_memory_bytes", FactKind::machine},
    {"gpu_driver", FactKind::machine},
    {"gpu_driver_major", FactKind::machine},
    {"gpu_environment", FactKind::machine},
    {"gpu_power_limit_w", FactKind::machine},
    {"gpu_ecc", FactKind::machine},
    {"gpu_mig", FactKind::machine},
    {"gpu_pcie_link", FactKind::machine},
});

bool is_known(const FingerprintMismatch& mismatch) { return !mismatch.expected.empty() && !mismatch.found.empty(); }

FactKind kind_of(const FingerprintMismatch& mismatch) {
  const FactSource* row = find_fact(mismatch.key);
  return row == nullptr ? FactKind::machine : row->kind;
}

}  // namespace

const FactSource* find_fact(std::string_view name) {
  const auto row =
      std::find_if(fact_rows.begin(), fact_rows.end(), [&](const FactSource& one) { return one.name == name; });
  return row == fact_rows.end() ? nullptr : &*row;
}

std::string fact_value(const Fingerprint& key, std::string_view name) {
  if (const auto at = key.find(std::string(name)); at != key.end()) return at->second;
  const FactSource* row = find_fact(name);
  return row == nullptr ? "" : std::string(row->if_missing);
}

std::vector<FingerprintMismatch> by_kind(std::vector<FingerprintMismatch> mismatches) {
  std::stable_sort(mismatches.begin(), mismatches.end(),
                   [](const auto& one, const auto& other) { return kind_of(one) < kind_of(other); });
  return mismatches;
}

std::vector<FingerprintMismatch> changed_settings(const std::vector<FingerprintMismatch>& mismatches) {
  const bool only_settings = std::all_of(mismatches.begin(), mismatches.end(), [](const auto& one) {
    return kind_of(one) == FactKind::program && is_known(one);
  });
  return only_settings ? mismatches : std::vector<FingerprintMismatch>{};
}

bool incompatible(const std::vector<FingerprintMismatch>& mismatches) {
  return !mismatches.empty() && changed_settings(mismatches).empty();
}

bool has_changed_tree(const std::vector<FingerprintMismatch>& mismatches) {
  return std::any_of(mismatches.begin(), mismatches.end(),
                     [](const auto& one) { return kind_of(one) != FactKind::machine && is_known(one); });
}

}  // namespace stepgate
