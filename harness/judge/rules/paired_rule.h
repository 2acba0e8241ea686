// From differences of interleaved pairs to a call: interim analyses with error spending (docs/design/verdicts.md,
// "Interim analyses").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/stored/policy.h"
#include "judge/interval/decision.h"
#include "judge/interval/pair_plan.h"
#include "judge/rules/pair_checks.h"

namespace stepgate {

/// A plan with its critical values, computed once: a quantile costs microseconds, and a suite asks for the same few.
class PairRule {
 public:
  /// `total`: what all interim analyses together may spend, alpha / M and beta. Analysis l spends alpha w_l / M and
  /// beta w_l. Throws Error(usage) for a plan or a share outside its range.
  PairRule(PairPlan plan, ErrorShares total);

  const PairPlan& plan() const { return plan_; }
  /// Of the interim analysis at this index; `red` is infinite where the interim analysis may not call red.
  const CriticalValues& critical(std::size_t analysis) const { return critical_[analysis]; }
  /// Change that the plan calls regressed with a probability of 95 % or more, for a standard deviation `spread` of the
  /// differences. Of one interim analysis: exact, by the noncentral t. Of several: a change below the matter margin may
  /// pass at an early analysis, as it is meant to, so never less than that margin; beyond it what the last interim
  /// analysis detects with 97.5 %, the rest left to early passes (against simulation, M = 20 to 100 and .5 to 3 %
  /// noise: docs/verdict_quality.md).
  double detectable_change(double spread, const Margins& margins) const;

 private:
  PairPlan plan_;
  std::vector<CriticalValues> critical_;
  double noncentrality_ = 0;  ///< that the last interim analysis detects
};

struct PairedDecision {
  Call call = Call::inconclusive;
  std::string_view reason;  ///< code, below
  std::int64_t analysis =
      0;  ///< pairs of the analysis that decided; of the last interim analysis had where none did; 0 before the first
  Estimate estimate;  ///< at that interim analysis; before the first of all pairs
  double spread = 0;  ///< standard deviation of the differences there, floored
  Interval interval;  ///< at that interim analysis: lower at 1 - its red share (where it has none: its pass share),
                      ///< upper at 1 - its pass share, as relative changes
  std::optional<double> detectable_change;  ///< relative, of the whole plan
  std::optional<std::int64_t>
      more_pairs;  ///< undecided: until an interim analysis that would decide if nothing else changes
};

/// Replays all interim analyses that `differences` (ln head - ln base, signed so that positive is worse, in the order
/// measured) suffice for; the first that decides stops. A pure function of the sequence: a run that was interrupted and
/// resumed cannot differ, and pairs beyond the deciding interim analysis change nothing.
///
/// At each interim analysis decide() with mean d, s / sqrt(n), n - 1 degrees of freedom, where s is at least the timer
/// resolution (stored_estimate.h) of two processes, and:
///   autocorrelated or drifting differences -> this interim analysis decides nothing
///   two modes that are not the machine's    -> only the last interim analysis decides (pair_checks.h)
/// Reasons: "within-limit", "faster", "regressed"; undecided: "too-few-pairs" (no interim analysis yet),
/// "interval-too-wide", "autocorrelated-differences", "drifting-differences", "two-modes", "constant-differences" (all
/// equal: no clock reads so), "not-finite" (any value of the sequence). Throws std::domain_error where process logs are
/// given and are not as many as the differences.
PairedDecision decide_pairs(std::span<const double> differences, const Margins& margins, const PairRule& rule,
                            const ProcessLogs& processes = {});

}  // namespace stepgate
