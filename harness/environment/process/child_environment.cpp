#include "environment/process/child_environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "environment/process/passed_variables.h"
#include "environment/process/recorded_variables.h"
#include "environment/process/secret_mask.h"

namespace stepgate {
namespace {

/// Threads, allocator, instruction set, and flags of the benchmark library, which reads its own from the environment.
constexpr std::array<std::string_view, 9> removed_prefixes = {"OMP_",    "GOMP_", "KMP_",       "MKL_",     "MALLOC_",
                                                              "ONEDNN_", "DNNL_", "BENCHMARK_", "OPENBLAS_"};

/// Each switches an algorithm, a precision, an allocator or a synchronisation. How the allocator and cuBLAS are set may
/// be worth a gate of its own, so those are passed, and recorded (recorded_variables.h).
constexpr std::array<std::string_view, 9> removed_names = {"GLIBC_TUNABLES",
                                                           "ATEN_CPU_CAPABILITY",
                                                           "ATEN_NUM_INTEROP_THREADS",
                                                           "CUDA_LAUNCH_BLOCKING",
                                                           "NVIDIA_TF32_OVERRIDE",
                                                           "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
                                                           "PYTORCH_NO_CUDA_MEMORY_CACHING",
                                                           "TORCH_CUDNN_V8_API_DISABLED",
                                                           "TORCH_CUDNN_USE_HEURISTIC_MODE_B"};

bool has_prefix_of_list(std::string_view name) {
  return std::any_of(passed_prefixes.begin(), passed_prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_passed_to_all(std::string_view name) {
  return std::find(passed_names.begin(), passed_names.end(), name) != passed_names.end() ||
         (has_prefix_of_list(name) && !names_a_secret(name));
}

}  // namespace

bool changes_a_measurement(std::string_view name) {
  return std::any_of(removed_prefixes.begin(), removed_prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
         std::find(removed_names.begin(), removed_names.end(), name) != removed_names.end();
}

Variables own_environment() {
  Variables variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

Variables pinned_variables(const Plan& plan, Group group, const std::string& visible_gpus) {
  const bool exact = group == Group::exact;
  const std::string threads = std::to_string(exact ? 1 : plan.threads);
  Variables pinned = {
      {"OMP_NUM_THREADS", threads}, {"MKL_NUM_THREADS", threads}, {"OMP_DYNAMIC", "false"}, {"MKL_DYNAMIC", "FALSE"}};
  if (plan.malloc_policy == "tuned") {
    pinned["MALLOC_MMAP_THRESHOLD_"] = "33554432";    // 32 MiB, the most that glibc accepts
    pinned["MALLOC_TRIM_THRESHOLD_"] = "4294967296";  // 4 GiB: freed memory stays in the process
  }
  if (exact) {
    pinned["ATEN_CPU_CAPABILITY"] = "avx2";
    pinned["ONEDNN_MAX_CPU_ISA"] = "AVX2";
    if (plan.device == Device::cuda) pinned["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8";
  }
  // Else LibTorch's profiler prints an error where there is no driver of a GPU.
  if (group == Group::profile) pinned["KINETO_LOG_LEVEL"] = "5";
  if (!visible_gpus.empty()) pinned["CUDA_VISIBLE_DEVICES"] = visible_gpus;
  return pinned;
}

Variables child_environment(const Variables& parent, const Variables& pinned, const std::set<std::string>& passed) {
  Variables variables = pinned;
  for (const auto& [name, value] : parent) {
    if (changes_a_measurement(name)) continue;
    // Keeps the pinned value where there is one.
    if (is_passed_to_all(name) || passed.contains(name)) variables.emplace(name, value);
  }
  return variables;
}

Variables recorded_variables(const Variables& child, const Variables& pinned) {
  Variables recorded = pinned;
  for (const auto& [name, value] : child) {
    if (recorded_row_of(name) != nullptr && !names_a_secret(name)) recorded.emplace(name, value);
  }
  return recorded;
}

std::string gpu_environment_fact(const Variables& child, const Variables& pinned) {
  std::string fact;
  for (const auto& [name, value] : child) {
    const RecordedVariable* row = recorded_row_of(name);
    if (row == nullptr || row->role != VariableRole::setting || pinned.contains(name) || names_a_secret(name)) continue;
    fact += (fact.empty() ? "" : ";") + name + "=" + value;
  }
  return fact.empty() ? "default" : fact;
}

std::string injected_tools_fact(const Variables& child) {
  std::string fact;
  for (const auto& [name, value] : child) {
    const RecordedVariable* row = recorded_row_of(name);
    if (row == nullptr || row->role != VariableRole::injection || value.empty()) continue;
    fact += (fact.empty() ? "" : ", ") + name;
  }
  return fact;
}

}  // namespace stepgate
