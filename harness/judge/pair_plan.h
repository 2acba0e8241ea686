// When interleaved pairs are looked at, and how much of the error budget each look may spend.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace stepgate {

/// One look at the first `pairs` pairs. Weights are shares of alpha / M (red) and of beta (pass).
struct Look {
  std::int64_t pairs = 0;
  double pass_weight = 0;
  double red_weight = 0;  ///< 0: neither regressed nor improved is called at this look
};

/// Looks in ascending order. A union bound over them keeps both error probabilities, whatever stops the run.
struct PairPlan {
  std::vector<Look> looks;
};

/// DESIGN section 6: pass at 4/6/8/12/16 with weights .05/.10/.20/.25/.40, red and improved at 8/12/16 with .2/.3/.5:
/// at 4 and 6 pairs processes with two modes broke the promise (11.4 % false red suites simulated).
PairPlan default_pair_plan();

/// The looks of the default plan at up to `pairs` pairs, which then spend everything. Nothing is called red or improved
/// with fewer than eight. The default plan where none of its looks is left. For a count that was fixed before anything
/// was measured: choosing it afterwards would be a look more.
PairPlan pair_plan_up_to(std::int64_t pairs);

/// One look at exactly `pairs` pairs that spends everything.
PairPlan fixed_pair_plan(std::int64_t pairs);

/// Throws Error(usage) unless there is a look, counts ascend from 2 or more, no weight is negative, the weights of
/// pass sum to 1, and those of red to 1 or 0.
void check_pair_plan(const PairPlan& plan);

/// Pairs of the last look; 0 for a plan without looks.
std::int64_t most_pairs(const PairPlan& plan);

/// Pairs, clean or tainted, that may be measured for `most_pairs` clean ones: half as many again. A machine that takes
/// more is not fit to decide anything.
std::int64_t most_tries(std::int64_t most_pairs);

struct PairCount {
  std::int64_t measured = 0;
  std::int64_t clean = 0;
};

/// True where at the rate of clean ones so far all tries would not reach a first look; not before half of `most_pairs`
/// are measured, nor before as many as that look needs. Taint is known before timings, so ending by it bends nothing.
bool taint_leaves_no_look(std::int64_t most_pairs, const PairCount& so_far);

/// The first look at more than `pairs` pairs; absent where all have been had.
std::optional<Look> next_look(const PairPlan& plan, std::int64_t pairs);

}  // namespace stepgate
