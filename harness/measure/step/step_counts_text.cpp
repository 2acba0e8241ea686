#include "measure/step/step_counts_text.h"

#include <fmt/format.h>

#include "core/error.h"

namespace stepgate {

StepCounts override_steps(StepCounts declared, const NamedSteps& overrides) {
  for (const StepCountField& field : step_count_fields) {
    const auto named = overrides.find(std::string(field.name));
    if (named != overrides.end()) declared.*field.member = named->second;
  }
  return declared;
}

void require_sensible(const StepCounts& steps, std::string_view case_name) {
  for (const StepCountField& field : step_count_fields) {
    const std::int64_t value = steps.*field.member;
    if (value >= field.least && value <= most_steps) continue;
    throw Error(ErrorKind::usage, fmt::format("case {} declares {}={} steps", case_name, field.name, value),
                fmt::format("declare from {} to {} in its StepCounts", field.least, most_steps));
  }
}

std::string steps_text(const StepCounts& steps, Group group) {
  const Group decided = group == Group::reference ? Group::timed : group;
  std::string text;
  for (const StepCountField& field : step_count_fields) {
    if (field.decides != decided || is_left_out(field, steps)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", field.name, steps.*field.member);
  }
  return text;
}

}  // namespace stepgate
