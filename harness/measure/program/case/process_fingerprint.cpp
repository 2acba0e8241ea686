#include "measure/program/case/process_fingerprint.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/DefaultDtype.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/version.h>

#include <cstdlib>
#include <vector>

#include "core/device.h"
#include "core/record/fact_kind.h"
#include "measure/program/case/global_switches.h"
#include "measure/program/case/workload_facts.h"

namespace stepgate {
namespace {

// What launch/ sets for malloc policy "tuned" (docs/design/measurement.md, "The C allocator"): 32 MiB is the highest
// mmap threshold that glibc takes.
constexpr const char* tuned_mmap_threshold = "33554432";
constexpr const char* tuned_trim_threshold = "4294967296";

bool cpu_has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool cpu_has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

std::optional<std::string> process_environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// True where float32 operands of matrix products, else of convolutions, are rounded to TF32. Only the newer of
/// LibTorch's two families of switches is asked: the older one throws where a program has used both. Up to LibTorch 2.9
/// it takes and gives names.
[[maybe_unused]] bool uses_tf32(const at::Context& context,
                                std::string (at::Context::*precision)(const std::string&, const std::string&) const,
                                bool of_matmul) {
  return (context.*precision)("cuda", of_matmul ? "matmul" : "conv") == "tf32";
}

template <typename Precision, typename Backend, typename Operator>
bool uses_tf32(const at::Context& context, Precision (at::Context::*precision)(Backend, Operator) const,
               bool of_matmul) {
  return (context.*precision)(Backend::CUDA, of_matmul ? Operator::MATMUL : Operator::CONV) == Precision::TF32;
}

/// Only where the program set another one than LibTorch's, as the table of facts says (core/record/fact_kind.h): a key
/// without it stays as it is.
void add_default_dtype(Fingerprint& facts) {
  const std::string name(c10::getDtypeNames(c10::get_default_dtype_as_scalartype()).first);
  if (name != fact_value({}, "default_dtype")) facts["default_dtype"] = name;
}

/// Times and memory of a CUDA process depend on them. What the device says of itself stays.
void add_cuda_settings(Fingerprint& facts) {
  const at::Context& context = at::globalContext();
  facts.emplace("tf32_matmul", switch_text(uses_tf32(context, &at::Context::float32Precision, true)));
  facts.emplace("tf32_cudnn", switch_text(uses_tf32(context, &at::Context::float32Precision, false)));
  facts.emplace("cudnn_benchmark", switch_text(context.benchmarkCuDNN()));
  facts.emplace("alloc_conf", alloc_conf_setting(process_environment));
  if (const auto workspace = process_environment("CUBLAS_WORKSPACE_CONFIG")) facts["cublas_workspace"] = *workspace;
}

}  // namespace

std::string malloc_setting(const EnvironmentReader& environment) {
  std::vector<std::string> set;
  for (const char* name : {"GLIBC_TUNABLES", "LD_PRELOAD", "MALLOC_ARENA_MAX", "MALLOC_MMAP_MAX_",
                           "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_"}) {
    if (const auto value = environment(name); value && !value->empty())
      set.push_back(fmt::format("{}={}", name, *value));
  }
  const std::vector<std::string> tuned = {fmt::format("MALLOC_MMAP_THRESHOLD_={}", tuned_mmap_threshold),
                                          fmt::format("MALLOC_TRIM_THRESHOLD_={}", tuned_trim_threshold)};
  if (set.empty()) return "system";
  return set == tuned ? "tuned" : fmt::format("{}", fmt::join(set, ";"));
}

std::string onednn_setting(const EnvironmentReader& environment, bool has_avx2) {
  const auto limit = environment("ONEDNN_MAX_CPU_ISA");
  if (!limit || limit->empty()) return "default";
  return has_avx2 ? *limit : "below AVX2";
}

void drop_isa_pin_beyond_cpu() {
  const auto pin = process_environment("ATEN_CPU_CAPABILITY");
  if (!pin) return;
  if ((*pin == "avx2" && !cpu_has_avx2()) || (*pin == "avx512" && !cpu_has_avx512())) unsetenv("ATEN_CPU_CAPABILITY");
}

Fingerprint process_fingerprint(const FingerprintInput& input) {
  Fingerprint facts = input.device_facts;
  if (input.test_case.ranks < 2) facts.erase("nccl");  // nothing is exchanged: its version decides nothing
  if (device_named(input.device) == Device::cuda) add_cuda_settings(facts);
  facts["torch"] = TORCH_VERSION;
  facts["threads"] = std::to_string(at::get_num_threads());
  facts["interop_threads"] = std::to_string(at::get_num_interop_threads());
  facts["isa"] = at::get_cpu_capability();
  facts["onednn_isa"] = onednn_setting(process_environment, cpu_has_avx2());
  facts["malloc"] = malloc_setting(process_environment);
  add_default_dtype(facts);
  add_global_switches(device_named(input.device).value_or(Device::cpu), facts);
  facts.merge(fingerprint_of({.group = input.group,
                              .steps = input.steps,
                              .device = input.device,
                              .dtype = input.test_case.dtype,
                              .seed = input.seed,
                              .data_digest = input.data_digest,
                              .params = input.test_case.params,
                              .version = input.test_case.version,
                              .compile_seconds = input.compile_seconds}));
  return facts;
}

}  // namespace stepgate
