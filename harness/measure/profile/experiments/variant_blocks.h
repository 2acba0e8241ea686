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

/// One way to run the step. Any function may be empty.
struct StepVariant {
  std::string name = {};               ///< VariantBlock::variant
  std::int64_t delay_ns = 0;           ///< VariantBlock::delay_ns
  std::function<void()> prepare = {};  ///< before its first step of a round
  std::function<void()> begin = {};    ///< before its steps
  std::function<void()> end = {};      ///< after them: undoes begin()
  std::function<void()> undo = {};     ///< after its last step of a round: undoes prepare() and what the steps changed
  /// Before its turns, for each of their steps: draws the batch that the step does not, so that the steps of all stay
  /// in their rhythm.
  std::function<void()> keep_rhythm = {};
  /// begin() and end() do nothing that a step would notice, so that it may take turns.
  bool may_take_turns = true;
};

/// The order of the variants in `round`: drawn from `seed`, and rotated by one each round.
std::vector<std::size_t> order_of_round(std::size_t variants, std::int64_t round, std::uint64_t seed);

/// Runs `plan.rounds` rounds, or fewer: see `most_ns`. A round has `plan.steps` steps of each variant, in one of two
/// ways. All ranks run the same steps in the same order.
///
/// In a block: `before_each`, the variant's prepare() and begin(), settling steps, and its steps between two
/// synchronisations as in a window of the e2e pass.
///
/// In turns of one step that settles and one that is kept (turns.h), each between two synchronisations: interference
/// that lasts for some steps then meets all variants alike. Only where `in_turns`, and only variants that may; the
/// others of a round have a block after the turns.
struct VariantRun {
  TimedRun& run;
  const std::vector<StepVariant>& variants;
  BlockPlan plan;
  std::uint64_t seed = 0;
  std::function<void()> before_each = {};
  bool in_turns = false;
  /// No round but the first begins that would end later than this after the first began, by the mean length of a round
  /// so far. The ranks agree on it. 0: all rounds.
  std::int64_t most_ns = 0;
};
std::vector<VariantBlock> run_variant_blocks(const VariantRun& wanted);

}  // namespace stepgate
