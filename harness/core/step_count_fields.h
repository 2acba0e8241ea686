// The step counts by name: those of the passes, and the few that several passes share. Flags, fingerprints, lists and
// files all use this table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/pass.h"

namespace stepgate {

struct StepCountField {
  std::string_view name;
  std::int64_t StepCounts::*member = nullptr;
  std::optional<Group> decides = std::nullopt;  ///< the results of this group depend on the count
  std::int64_t least = 1;
  bool optional = false;  ///< belongs to an optional pass: a file without it means 0
};

/// Far above what anybody runs. A pass keeps a sample of each step in memory.
inline constexpr std::int64_t most_steps = 10'000'000;

/// In the order in which files list them.
inline constexpr auto step_count_fields = [] {
  std::array<StepCountField, pass_table.size() + 3> fields;
  std::size_t at = 0;
  for (const PassRow& row : pass_table) {
    const std::optional<Group> decides = row.keyed ? std::optional(row.group) : std::nullopt;
    fields[at++] = {row.name, row.steps, decides, row.optional ? 0 : 1, row.optional};
    if (row.pass == Pass::e2e) fields[at++] = {"window", &StepCounts::window, Group::timed, 1, false};
  }
  fields[at++] = {"exact_warmup", &StepCounts::exact_warmup, Group::exact, 0, false};
  fields[at++] = {"warmup_cap", &StepCounts::warmup_cap, std::nullopt, 1, false};
  return fields;
}();

/// True if a file may omit `field`, because it belongs to an optional pass that does not run.
constexpr bool is_left_out(const StepCountField& field, const StepCounts& steps) {
  return field.optional && steps.*field.member == 0;
}

}  // namespace stepgate
