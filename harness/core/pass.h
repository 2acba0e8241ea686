// The passes, one row each. Names, step counts, groups and the order of the passes all come from this table.
// harness/measure/passes says how each pass runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "stepgate/step_counts.h"

namespace stepgate {

/// Kinds of measured process. `timed` runs the passes that take times, `exact` runs those that count. `reference` runs
/// the fixed reference case, which tells a slower machine from slower code. `profile` observes and experiments; nothing
/// that it finds is ever compared with a baseline.
enum class Group { timed, exact, reference, profile };
inline constexpr std::array<Group, 4> all_groups = {Group::timed, Group::exact, Group::reference, Group::profile};

constexpr std::string_view name_of(Group group) {
  constexpr std::array<std::string_view, 4> names = {"timed", "exact", "reference", "profile"};
  return names[static_cast<std::size_t>(group)];
}
constexpr std::optional<Group> group_named(std::string_view name) {
  for (Group group : all_groups) {
    if (name_of(group) == name) return group;
  }
  return std::nullopt;
}

/// One run of the case that answers one question (docs/design/processes_and_passes.md, "Passes").
enum class Pass {
  e2e,
  requests,
  open_requests,
  phase,
  synthetic,
  loader,
  h2d,
  logging,
  checkpoint,
  device_work,
  counts,
  memory,
  numerics,
  instructions,
  checkpoint_bytes,
  profile
};

/// The part of the run record that holds the result of a pass.
enum class PassYield {
  timed_steps,     ///< RunRecord::timed, under the name of the pass
  closed_loop,     ///< RunRecord::requests
  open_loop,       ///< RunRecord::open_requests
  copies,          ///< RunRecord::h2d
  logging_blocks,  ///< RunRecord::logging
  device_work,     ///< RunRecord::device_work
  checkpoint,      ///< RunRecord::checkpoint
  counts,          ///< RunRecord::counts
  memory,          ///< RunRecord::memory
  numerics,        ///< RunRecord::numerics
  instructions,    ///< RunRecord::instructions
  profile          ///< RunRecord::profile
};

struct PassRow {
  Pass pass;
  std::string_view name;  ///< in flags, files and benchmark names
  Group group;            ///< timed, exact or profile
  PassYield yields;
  std::int64_t StepCounts::*steps;  ///< the number of steps; stepgate/step_counts.h has the default
  bool runs_over_loop;              ///< false: it needs batches without the user's loop around them
  /// An optional pass runs only if its step count is above 0. Files and baselines without it stay valid.
  bool optional = false;
  /// False: what it finds only explains, and nothing runs after it, so that its step count is in no baseline's key.
  bool keyed = true;
};

/// In the order of Pass. The passes of a group run in this order.
inline constexpr std::array pass_table = {
    PassRow{Pass::e2e, "e2e", Group::timed, PassYield::timed_steps, &StepCounts::e2e, true},
    PassRow{Pass::requests, "requests", Group::timed, PassYield::closed_loop, &StepCounts::requests, true, true},
    PassRow{Pass::open_requests, "open_requests", Group::timed, PassYield::open_loop, &StepCounts::open_requests, true,
            true},
    PassRow{Pass::phase, "phase", Group::timed, PassYield::timed_steps, &StepCounts::phase, true},
    PassRow{Pass::synthetic, "synthetic", Group::timed, PassYield::timed_steps, &StepCounts::synthetic, false},
    PassRow{Pass::loader, "loader", Group::timed, PassYield::timed_steps, &StepCounts::loader, false},
    PassRow{Pass::h2d, "h2d", Group::timed, PassYield::copies, &StepCounts::h2d, false},
    PassRow{Pass::logging, "logging", Group::timed, PassYield::logging_blocks, &StepCounts::logging, false},
    PassRow{Pass::checkpoint, "checkpoint", Group::timed, PassYield::checkpoint, &StepCounts::checkpoint, false, true},
    PassRow{Pass::device_work, "device_work", Group::timed, PassYield::device_work, &StepCounts::device_work, true,
            true, false},
    PassRow{Pass::counts, "counts", Group::exact, PassYield::counts, &StepCounts::counts, true},
    PassRow{Pass::memory, "memory", Group::exact, PassYield::memory, &StepCounts::memory, true},
    PassRow{Pass::numerics, "numerics", Group::exact, PassYield::numerics, &StepCounts::numerics, true},
    PassRow{Pass::instructions, "instructions", Group::exact, PassYield::instructions, &StepCounts::instructions, true,
            true},
    PassRow{Pass::checkpoint_bytes, "checkpoint_bytes", Group::exact, PassYield::checkpoint,
            &StepCounts::checkpoint_bytes, false, true},
    PassRow{Pass::profile, "profile", Group::profile, PassYield::profile, &StepCounts::profile, true, true, false},
};

constexpr const PassRow& row_of(Pass pass) { return pass_table[static_cast<std::size_t>(pass)]; }
constexpr std::string_view name_of(Pass pass) { return row_of(pass).name; }

static_assert(std::all_of(pass_table.begin(), pass_table.end(),
                          [](const PassRow& row) { return row_of(row.pass).name == row.name; }),
              "pass_table lists the passes in the order of enum Pass");

}  // namespace stepgate
