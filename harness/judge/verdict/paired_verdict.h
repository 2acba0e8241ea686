// The verdict on one timed metric from interleaved pairs.
#pragma once

#include <optional>
#include <vector>

#include "core/metric.h"
#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"
#include "judge/interval/session_clusters.h"
#include "judge/reduce/pairs/pair_logs.h"
#include "judge/rules/paired_rule.h"
#include "judge/verdict/control_check.h"
#include "judge/verdict/machine_check.h"

namespace stepgate {

/// What all metrics of a case measured in pairs share. Refers to the Comparison, which must have pairs.
struct PairedContext {
  const Comparison& input;
  PairRule rule;            ///< rule of leading metrics
  PairRule following_rule;  ///< the same analyses and shares of red; pass is spent earlier
  ControlCheck control;
  std::vector<SessionCluster> clusters;  ///< sessions of a matching runner baseline; empty if there is none
};

/// Default plans with alpha / M and beta (docs/design/verdicts.md, "Error budget": Bonferroni over the manifest).
PairedContext paired_context(const Comparison& input);

/// One metric's pairs with their figures, before any rule.
struct PairedComparison {
  const Metric& metric;
  PairLogs logs;
  PairedDecision decision;
  MachineCheck machine;
};

/// Absent if the metric has no pairs, or a value that is not positive and finite.
std::optional<PairedComparison> compare_pairs(const Metric& metric, const PairedContext& context);

/// Writes baseline, current (geometric means over the deciding pairs), change, limit, detectable change, and the
/// interval if both of its bounds are finite.
void fill_figures(const PairedComparison& comparison, const PairedContext& context, MetricVerdict& verdict);

/// "20.3 ms -> 21.9 ms, +7.9 % [+5.1 %, +10.2 %] over 8 pairs"
std::string describe(const PairedComparison& comparison, const MetricVerdict& verdict);

/// Gating metrics (paired_rule.h):
///   the two builds differ in key facts       -> no_baseline "incompatible-builds"
///   requests came too fast for the head  -> regressed or inconclusive "queue-unstable" (unstable_queue.h)
///   pairs have other metrics, not this one   -> not judged   "new-metric": the base build does not measure it
///   a value is not positive               -> failed       "not-positive"
///   most clean processes were not steady  -> inconclusive "not-steady"
///   no pair at all, some tainted          -> inconclusive "too-few-clean-pairs"; none tainted: "no-pairs"
///   pass, improved                        -> pass "within-limit", improved "faster"
///   regressed, control moved by so much that
///   it may be the change (control_check.h) -> inconclusive "control-moved"
///   regressed                             -> regressed "regressed": confirmed, unlike "regressed-unconfirmed"
///   undecided, more pairs will come       -> inconclusive "more-pairs-needed"
///   undecided, finished                   -> inconclusive, the decision's reason
/// `more_replicates` of an inconclusive verdict counts pairs.
MetricVerdict judge_pairs(const Metric& metric, const PairedContext& context);

}  // namespace stepgate
