#include "core/judged/emulated_result.h"

#include "core/emulated_gpu_name.h"

namespace stepgate {

std::string emulated_gpu_of(const Outcome& outcome) { return emulated_gpu_of_facts(outcome.fingerprint); }

std::string emulated_gpu_of(const RunReport& report) {
  std::string name = emulated_gpu_of_class(report.runner_class);
  for (const Outcome& outcome : report.outcomes) {
    if (!name.empty()) break;
    name = emulated_gpu_of(outcome);
  }
  return name;
}

std::string emulated_sentence(const RunReport& report) { return emulated_sentence(emulated_gpu_of(report)); }

std::string emulated_sentence(const std::string& gpu) {
  if (gpu.empty()) return "";
  return gpu + ": counts and bytes, no times. What a green proves: " + std::string(emulated_green_page);
}

std::string exported_case_name(const RunReport& report, const Outcome& outcome) {
  std::string gpu = emulated_gpu_of(outcome);
  if (gpu.empty()) gpu = emulated_gpu_of_class(report.runner_class);
  return gpu.empty() ? outcome.verdict.case_name : outcome.verdict.case_name + " (" + gpu + ")";
}

}  // namespace stepgate
