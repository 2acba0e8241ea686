// Which operators take more time in one build than in the other.
#pragma once

#include <optional>
#include <vector>

#include "core/record/profile_run.h"
#include "core/study/step_difference.h"

namespace stepgate {

/// A step as timed without observer.
struct TimedChange {
  double step_ns = 0;    ///< step time of the base
  double change_ns = 0;  ///< head - base
};

struct DifferenceInput {
  std::vector<ProfileRun> base;  ///< one of each pair, in the order of pairs; each has `observed`, with steps
  std::vector<ProfileRun> head;
  std::optional<TimedChange> timed = std::nullopt;  ///< absent: the observed operators say how much there is to explain
};

/// Below this number of pairs only changed work is listed: an interval from fewer says too little.
inline constexpr std::int64_t fewest_difference_pairs = 6;

/// A row with the same work is listed if it differs by at least this share of the step.
inline constexpr double least_difference_share = 0.002;

/// Matches rows (matched_rows.h), divides out the speed of each process, tests the rows with the same work (t with
/// moderated variances, Holm), and lists those that differ: docs/design/statistics.md, "Difference of two builds".
/// Operators of the loader do not count: its workers may run them beside the step. A note tells where they changed.
/// Case name and commits are left to the caller. Throws std::domain_error without pairs, or where the numbers of
/// processes differ.
StepDifference step_difference(const DifferenceInput& input);

}  // namespace stepgate
