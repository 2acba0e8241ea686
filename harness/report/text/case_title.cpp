#include "report/text/case_title.h"

#include <fmt/format.h>

#include "core/judged/emulated_result.h"

namespace stepgate {

std::string case_qualifier(const Outcome& outcome) {
  std::string text = outcome.kind == whole_gate ? "" : std::string(name_of(outcome.kind));
  const std::string gpu = emulated_gpu_of(outcome);
  if (!gpu.empty()) text += (text.empty() ? "" : ", ") + gpu;
  return text;
}

std::string case_title(const Outcome& outcome) {
  const std::string qualifier = case_qualifier(outcome);
  const std::string& name = outcome.verdict.case_name;
  return qualifier.empty() ? name : fmt::format("{} ({})", name, qualifier);
}

}  // namespace stepgate
