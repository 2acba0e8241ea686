// The interim analyses of interleaved pairs, and how much of the error budget each of them may spend.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace stepgate {

/// One interim analysis at the first `pairs` pairs. Weights are shares of alpha / M (red) and of beta (pass).
struct InterimAnalysis {
  std::int64_t pairs = 0;
  double pass_weight = 0;
  double red_weight = 0;  ///< 0: neither regressed nor improved is called at this interim analysis
};

/// Interim analyses in ascending order. A union bound over them keeps both error probabilities, whatever stops the run.
struct PairPlan {
  std::vector<InterimAnalysis> analyses;
};

/// docs/design/verdicts.md, "Interim analyses": pass at 4/6/8/12/16 with weights .05/.10/.20/.25/.40, red and improved
/// at 8/12/16 with .2/.3/.5: at 4 and 6 pairs processes with two modes broke the promise (11.4 % false red suites
/// simulated).
PairPlan default_pair_plan();

/// The interim analyses of the default plan at up to `pairs` pairs, which then spend everything. Nothing is called red
/// or improved with fewer than eight. The default plan where none of its interim analyses is left. For a count that was
/// fixed before anything was measured: a count that is chosen afterwards would be one more interim analysis.
PairPlan pair_plan_up_to(std::int64_t pairs);

/// One interim analysis at exactly `pairs` pairs that spends everything.
PairPlan fixed_pair_plan(std::int64_t pairs);

/// Throws Error(usage) unless there is an interim analysis, counts ascend from 2 or more, no weight is negative, the
/// weights of pass sum to 1, and those of red to 1 or 0.
void check_pair_plan(const PairPlan& plan);

/// Pairs of the last interim analysis; 0 for a plan without interim analyses.
std::int64_t most_pairs(const PairPlan& plan);

/// Pairs, clean or tainted, that may be measured for `most_pairs` clean ones: half as many again. On a machine that
/// needs more nothing can be decided.
std::int64_t most_tries(std::int64_t most_pairs);

struct PairCount {
  std::int64_t measured = 0;
  std::int64_t clean = 0;
};

/// True where at the rate of clean ones so far all tries would not reach a first interim analysis; not before half of
/// `most_pairs` are measured, nor before as many as that interim analysis needs. Taint is known before timings, so
/// ending a run by it biases no result.
bool taint_leaves_no_interim_analysis(std::int64_t most_pairs, const PairCount& so_far);

/// The first interim analysis at more than `pairs` pairs; absent where all have been made.
std::optional<InterimAnalysis> next_interim_analysis(const PairPlan& plan, std::int64_t pairs);

}  // namespace stepgate
