// From differences of interleaved pairs to a call: interim analyses with error spending (docs/design/verdicts.md,
// "Interim analyses").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/stored/policy.h"
#include "core/verdict/verdict_reason.h"
#include "judge/interval/decision.h"
#include "judge/interval/pair_plan.h"
#include "judge/rules/pair_checks.h"

namespace stepgate {

/// A plan with its critical values, computed once: a quantile takes microseconds, and a suite needs the same few often.
class PairRule {
 public:
  /// `total`: the budget of all interim analyses together, alpha / M and beta. Analysis l spends alpha w_l / M and
  /// beta w_l. Throws Error(usage) for an invalid plan or a share outside its range.
  PairRule(PairPlan plan, ErrorShares total);

  const PairPlan& plan() const { return plan_; }
  /// The critical values of the interim analysis at this index; `red` is infinite if that analysis may not call red.
  const CriticalValues& critical(std::size_t analysis) const { return critical_[analysis]; }
  /// The change that the plan calls regressed with a probability of 95 % or more, for a standard deviation `spread` of
  /// the differences. One interim analysis: exact, by the noncentral t. Several: the change that the last interim
  /// analysis detects with 97.5 %, because early passes may take the rest; but at least the matter margin, because a
  /// smaller change may pass at an early analysis. docs/verdict_quality.md compares it with simulations (M = 20 to 100,
  /// .5 to 3 % noise).
  double detectable_change(double spread, const Margins& margins) const;

 private:
  PairPlan plan_;
  std::vector<CriticalValues> critical_;
  double noncentrality_ = 0;  ///< detected by the last interim analysis
};

struct PairedDecision {
  Call call = Call::inconclusive;
  ReasonCode reason = ReasonCode::too_few_pairs;
  std::int64_t analysis =
      0;  ///< pairs of the deciding interim analysis; if none decided, of the last one made; 0 before the first
  Estimate estimate;  ///< at that interim analysis; before the first one over all pairs
  double spread = 0;  ///< standard deviation of the differences there, floored
  Interval interval;  ///< at that interim analysis: lower at 1 - its red share (where it has none: its pass share),
                      ///< upper at 1 - its pass share, as relative changes
  std::optional<double> detectable_change;  ///< relative, of the whole plan
  std::optional<std::int64_t>
      more_pairs;  ///< undecided: pairs until an interim analysis that would decide if nothing else changes
  /// Undecided: pairs until an interim analysis that would call it regressed if nothing else changes.
  std::optional<std::int64_t> red_after = std::nullopt;
  /// A pass that looks like an improvement: pairs until the first interim analysis that may call it one.
  std::optional<std::int64_t> improved_after = std::nullopt;
};

/// Makes the interim analyses in order, as far as there are enough `differences` (ln head - ln base, signed so that
/// positive is worse, in the order measured), until one decides. A pure function of the sequence: an interrupted and
/// resumed run gives the same result, and pairs after the deciding interim analysis change nothing.
///
/// Each interim analysis calls decide() with mean d, s / sqrt(n) and n - 1 degrees of freedom, where s is at least the
/// timer resolution (stored_estimate.h) of two processes. Exceptions:
///   autocorrelated or drifting differences -> this interim analysis decides nothing
///   two modes that are not the machine's    -> only the last interim analysis decides (pair_checks.h)
///   a pass before the first interim analysis that may call improved, with its whole interval below -ignore -> that
///   analysis is made too; `improved` replaces the pass, anything else does not
/// The reason is one of those by pairs (core/verdict/verdict_reason.h), `too_few_pairs` before the first interim
/// analysis. Throws std::domain_error if process logs are given but are not as many as the differences.
PairedDecision decide_pairs(std::span<const double> differences, const Margins& margins, const PairRule& rule,
                            const ProcessLogs& processes = {});

}  // namespace stepgate
