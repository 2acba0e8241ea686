#include "measure/program/case/workload_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "measure/step/step_counts_text.h"

namespace stepgate {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

const char* build_type() {
#ifdef NDEBUG
  return "release";
#else
  return "debug";
#endif
}

std::string params_text(const std::map<std::string, std::string>& params) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : params) parts.push_back(key + "=" + value);
  return fmt::format("{}", fmt::join(parts, ";"));
}

}  // namespace

Fingerprint fingerprint_of(const WorkloadFacts& facts) {
  Fingerprint found = {
      {"device", facts.device},
      {"dtype", facts.dtype},
      {"compiler", compiler()},
      {"build_type", build_type()},
      {"data_digest", facts.data_digest},
      {"case_params", params_text(facts.params)},
      {"workload_version", facts.version},
      {"seed", std::to_string(facts.seed)},
      {facts.group == Group::exact ? "exact_steps" : "timed_steps", steps_text(facts.steps, facts.group)}};
  if (facts.compile_seconds) found["compile_seconds"] = std::to_string(*facts.compile_seconds);
  return found;
}

}  // namespace stepgate
