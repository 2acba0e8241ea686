// In which order variants of the step take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stepgate {

struct TurnPlan {
  std::size_t variants = 0;
  std::int64_t turns = 0;   ///< of each variant
  std::int64_t window = 1;  ///< the work of a step repeats after so many: sizes of batches, what logging does
};

/// A turn has one step that settles, in the caches that the variant before it leaves, and one that is kept.
inline constexpr std::int64_t steps_of_turn = 2;

struct Turn {
  std::size_t variant = 0;
  std::int64_t skipped = 0;  ///< steps before the turn that belong to no variant

  bool operator==(const Turn&) const = default;
};

/// Pure. Each variant has `turns` of them, and its kept steps have each place in a window equally often (a Latin
/// square) if `turns` is a multiple of `window`: variants whose batches differ in size cannot be compared. Turns of two
/// steps keep every second place of an even window, so that half-way one step is skipped.
std::vector<Turn> turns_of_round(const TurnPlan& plan);

}  // namespace stepgate
