// Blocks of steps under each experiment, in turns with the unchanged step.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/record/profile_run.h"
#include "measure/passes/timed_passes.h"
#include "measure/profile/experiments/block_plan.h"

namespace stepgate {

/// One way to run the step.
struct StepVariant {
  std::string name = {};             ///< VariantBlock::variant
  std::int64_t delay_ns = 0;         ///< VariantBlock::delay_ns
  std::function<void()> begin = {};  ///< before the settling steps; may be empty
  std::function<void()> end = {};    ///< after the block: undoes begin() and what the steps changed; may be empty
};

/// The order of the variants in `round`: drawn from `seed`, and rotated by one each round.
std::vector<std::size_t> order_of_round(std::size_t variants, std::int64_t round, std::uint64_t seed);

/// Runs `plan.rounds` rounds, or fewer: see `most_ns`. In each block: `before_each`, the variant's begin(), settling
/// steps, and `plan.steps` steps between two synchronisations as in a window of the e2e pass. All ranks run the same
/// steps in the same order.
struct VariantRun {
  TimedRun& run;
  const std::vector<StepVariant>& variants;
  BlockPlan plan;
  std::uint64_t seed = 0;
  std::function<void()> before_each = {};
  /// No round but the first begins that would end later than this after the first began, by the mean length of a round
  /// so far. The ranks agree on it. 0: all rounds.
  std::int64_t most_ns = 0;
};
std::vector<VariantBlock> run_variant_blocks(const VariantRun& wanted);

}  // namespace stepgate
