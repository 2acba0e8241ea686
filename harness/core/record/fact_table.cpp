#include "core/record/fact_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

namespace stepgate {
namespace {

constexpr FactKind program = FactKind::program;
constexpr FactKind asked = FactKind::asked;
constexpr FactKind tree = FactKind::tree;
constexpr FactKind machine = FactKind::machine;
constexpr FactRole key = FactRole::key;
constexpr FactRole times = FactRole::undecides_times;
constexpr FactComparison percent = FactComparison::within_one_percent;

// LibTorch, CUDA and cuDNN are installed on the machine: another version of them says nothing about this tree. So are
// the instruction sets, which group exact pins: a CPU that lacks them shows here, and a program that changes the pin
// gives no record.
constexpr auto facts = std::to_array<FactRow>({
    // the work
    {.name = "device", .kind = asked, .portable = key, .device = key, .runner = key},
    {.name = "dtype", .kind = tree, .portable = key, .device = key, .runner = key},
    {.name = "data_digest", .kind = tree, .portable = key, .device = key, .runner = key},
    {.name = "case_params", .kind = tree, .portable = key, .device = key, .runner = key},
    {.name = "workload_version", .kind = tree, .portable = key, .device = key, .runner = key},
    {.name = "seed", .kind = asked, .portable = key, .device = key, .runner = key},
    {.name = "exact_steps", .kind = asked, .portable = key, .device = key},
    {.name = "timed_steps", .kind = asked, .runner = key},
    {.name = "compile_seconds", .kind = tree},
    // libraries: each chooses its kernels by its own version
    {.name = "torch", .kind = machine, .portable = key, .device = key, .runner = key},
    {.name = "cuda_runtime", .kind = machine, .device = key, .runner = key},
    {.name = "cudnn", .kind = machine, .device = key, .runner = key},
    {.name = "cublas", .kind = machine, .device = key, .runner = key, .may_lack = true},
    {.name = "cublaslt", .kind = machine, .device = key, .runner = key, .may_lack = true},
    {.name = "nccl", .kind = machine, .device = key, .runner = key, .may_lack = true},
    // how the process is set
    {.name = "threads", .kind = asked, .portable = key, .device = key, .runner = key},
    {.name = "interop_threads", .kind = asked},
    {.name = "affinity", .kind = asked},
    {.name = "priority", .kind = asked},
    {.name = "cublas_workspace", .kind = asked},
    {.name = "default_dtype", .kind = program, .if_missing = "float32", .portable = key, .device = key, .runner = key},
    {.name = "isa", .kind = machine, .portable = key},
    {.name = "onednn_isa", .kind = machine, .portable = key},
    {.name = "malloc", .kind = tree, .runner = key},
    {.name = "tf32_matmul", .kind = program, .device = key, .runner = key, .may_lack = true},
    {.name = "tf32_cudnn", .kind = program, .device = key, .runner = key, .may_lack = true},
    {.name = "cudnn_benchmark", .kind = program, .device = key, .runner = key, .may_lack = true},
    // switches of LibTorch that no key holds: a finding names one that changed
    {.name = "deterministic_algorithms", .kind = program},
    {.name = "deterministic_cudnn", .kind = program},
    {.name = "deterministic_mkldnn", .kind = program},
    {.name = "cudnn_enabled", .kind = program},
    {.name = "mkldnn_enabled", .kind = program},
    {.name = "nnpack_enabled", .kind = program},
    {.name = "sdp_flash", .kind = program},
    {.name = "sdp_mem_efficient", .kind = program},
    {.name = "sdp_math", .kind = program},
    {.name = "sdp_cudnn", .kind = program},
    {.name = "mkldnn_matmul_precision", .kind = program},
    {.name = "autocast_cpu", .kind = program},
    {.name = "autocast_cpu_dtype", .kind = program},
    {.name = "autocast_cuda", .kind = program},
    {.name = "autocast_cuda_dtype", .kind = program},
    {.name = "autocast_cache", .kind = program},
    {.name = "flush_denormal", .kind = program},
    {.name = "alloc_conf", .kind = tree, .device = key, .runner = key, .may_lack = true},
    {.name = "gpu_environment", .kind = machine, .runner = key, .may_lack = true},
    {.name = "injected_tools", .kind = machine},
    {.name = "guard", .kind = machine, .runner = key},
    {.name = "affinity_count", .kind = machine, .runner = key},
    // how it was built
    {.name = "build_type", .kind = tree, .runner = key},
    {.name = "benchmark_build_type", .kind = tree, .runner = key},
    {.name = "compiler", .kind = tree},
    // the GPU
    {.name = "gpu", .kind = machine, .device = key, .runner = key},
    {.name = "gpu_compute_capability", .kind = machine, .device = key},
    {.name = "gpu_memory_bytes", .kind = machine, .device = key, .comparison = percent},
    {.name = "gpu_pci_bus_id", .kind = machine},
    {.name = "gpu_driver_major", .kind = machine, .device = key},  // the first number of gpu_driver
    {.name = "gpu_driver", .kind = machine, .runner = times},
    {.name = "gpu_power_limit_w", .kind = machine, .runner = times, .may_lack = true},
    {.name = "gpu_ecc", .kind = machine, .runner = key, .may_lack = true},
    {.name = "gpu_mig", .kind = machine, .runner = key, .may_lack = true},
    {.name = "gpu_pcie_link", .kind = machine, .runner = key, .may_lack = true},
    {.name = "gpu_compute_mode", .kind = machine},
    // the host; updates of the kernel are frequent, and the reference case shows their effect
    {.name = "cpu_model", .kind = machine, .runner = key},
    {.name = "cpu_count", .kind = machine},
    {.name = "kernel", .kind = machine},
    {.name = "hypervisor", .kind = machine},
    {.name = "memory_total_bytes", .kind = machine},
    {.name = "governor", .kind = machine},
    {.name = "turbo", .kind = machine},
    {.name = "thp", .kind = machine},
    {.name = "aslr", .kind = machine},
});

std::optional<double> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number > 0;
  return whole ? std::optional(static_cast<double>(number)) : std::nullopt;
}

bool within_one_percent(const std::string& a, const std::string& b) {
  const auto first = whole_number(a);
  const auto second = whole_number(b);
  return first && second && std::abs(*first - *second) <= 0.01 * std::max(*first, *second);
}

}  // namespace

std::span<const FactRow> fact_table() { return facts; }

const FactRow* find_fact(std::string_view name) {
  const auto* const at = std::find_if(facts.begin(), facts.end(), [&](const FactRow& row) { return row.name == name; });
  return at == facts.end() ? nullptr : at;
}

bool same_fact(std::string_view name, const std::string& a, const std::string& b) {
  if (a == b) return true;
  const FactRow* const row = find_fact(name);
  return row != nullptr && row->comparison == FactComparison::within_one_percent && within_one_percent(a, b);
}

}  // namespace stepgate
