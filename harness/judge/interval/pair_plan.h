// The interim analyses of interleaved pairs, and the share of the error budget that each may spend.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace stepgate {

/// One interim analysis at the first `pairs` pairs. Weights are shares of alpha / M (red) and of beta (pass).
struct InterimAnalysis {
  std::int64_t pairs = 0;
  double pass_weight = 0;
  double red_weight = 0;  ///< 0: this interim analysis calls neither regressed nor improved
};

/// Interim analyses in ascending order. A union bound over them keeps both error probabilities for any stopping rule.
struct PairPlan {
  std::vector<InterimAnalysis> analyses;
};

/// docs/design/verdicts.md, "Interim analyses": pass at 4/6/8/12/16 with weights .05/.10/.20/.25/.40, red and improved
/// at 8/12/16 with .2/.3/.5. With a red at 4 or 6 pairs, processes with two modes gave 11.4 % false red suites in
/// simulation, more than the promised 5 %.
PairPlan default_pair_plan();

/// The plan of a following metric: the same analyses and the same shares of red, but pass spends .50/.20/.15/.10/.05.
/// It must pass when the leading metrics do, at four to eight pairs, and not later.
PairPlan following_pair_plan();

/// The interim analyses of `plan` at up to `pairs` pairs; they spend the whole budget. With fewer than eight pairs
/// nothing is called red or improved. If none of its interim analyses is left, the whole plan. The count must be fixed
/// before the measurement: a count chosen afterwards would be one more interim analysis.
PairPlan pair_plan_up_to(std::int64_t pairs, PairPlan plan = default_pair_plan());

/// One interim analysis at exactly `pairs` pairs that spends the whole budget.
PairPlan fixed_pair_plan(std::int64_t pairs);

/// Throws Error(usage) unless there is an interim analysis, counts ascend from 2 or more, no weight is negative, the
/// weights of pass sum to 1, and those of red to 1 or 0.
void check_pair_plan(const PairPlan& plan);

/// Pairs of the first interim analysis that may call regressed; 0 for a plan without one.
std::int64_t first_red_analysis(const PairPlan& plan);

/// Pairs of the last interim analysis; 0 for a plan without interim analyses.
std::int64_t most_pairs(const PairPlan& plan);

/// A plan of one to three pairs has so many replacements for discarded ones: one discarded pair tells no rate.
inline constexpr std::int64_t fewest_replacements = 2;

/// The most pairs, clean or tainted, that may be measured to get `most_pairs` clean ones: 1.5 times that number, and at
/// least `fewest_replacements` more. On a machine that needs more, nothing can be decided.
std::int64_t most_tries(std::int64_t most_pairs);

struct PairCount {
  std::int64_t measured = 0;
  std::int64_t clean = 0;
  std::int64_t processes = 0;      ///< processes of all pairs and of the control, with their repetitions
  std::int64_t clean_control = 0;  ///< clean pairs of the control
};

/// So many processes without one clean pair are enough to see that none will come: five pairs, or three beside those of
/// the control. If half of the pairs are clean, that happens in 3 and 2 % of the runs.
inline constexpr std::int64_t hopeless_processes = 10;

/// True if no pair was clean in `hopeless_processes` processes; or if, at the rate of clean pairs so far, all tries
/// would not reach the first interim analysis, which is asked once half of `most_pairs` and the pairs of that interim
/// analysis are measured. Taint is decided before any timing is read, so a run that ends for this reason biases no
/// result.
bool taint_leaves_no_interim_analysis(std::int64_t most_pairs, const PairCount& so_far);

/// The first interim analysis at more than `pairs` pairs; absent if there is none.
std::optional<InterimAnalysis> next_interim_analysis(const PairPlan& plan, std::int64_t pairs);

}  // namespace stepgate
