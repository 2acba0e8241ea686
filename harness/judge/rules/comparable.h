// Decides whether a metric can be compared, before any rule reads its values.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.h"
#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"
#include "core/verdict/verdict_reason.h"

namespace stepgate {

/// The baseline of a half of the case. Refers to the Comparison.
struct BaselineSide {
  const Baseline* baseline;
  const std::vector<FingerprintMismatch>& mismatches;
  Scope scope;
  std::string why_absent = {};  ///< one sentence where there is no baseline and more is known than that
};

/// Tiers exact, bytes and numeric: `portable` on a CPU, `device` on a GPU, to whose kind the counts belong.
BaselineSide exact_side(const Comparison& input);
/// Tier timed: always `runner`.
BaselineSide timed_side(const Comparison& input);

/// The sides that have a metric.
struct Presence {
  Metric metric;
  bool measured = false;
  bool stored = false;
};

/// A verdict with name, gating and scope; the status is still open.
MetricVerdict open_verdict(const Metric& metric, Scope scope);

/// Sets status, reason and detail. A metric without a gating role never passes: where its rule says pass, its status is
/// not_judged.
void settle(MetricVerdict& verdict, Status status, ReasonCode reason, std::string detail);

/// "incompatible-baseline", or "incompatible-tree" where a fact of the tree is among them.
void settle_incompatible(const std::vector<FingerprintMismatch>& mismatches, MetricVerdict& verdict);

/// Why the measurement lacks a metric.
std::string why_absent(std::string_view metric, const CaseValues& current);

/// "metric-missing": the other side has the metric and the measurement lacks it.
void settle_missing(MetricVerdict& verdict, const std::string& why);

/// The verdict on a metric that is only shown, that one side lacks, or whose baseline is missing or was measured under
/// other facts. Absent if both sides can be compared.
///   the metric is only shown                        -> not_judged "not-judged"
///   there is no baseline                            -> no_baseline "no-baseline"
///   its facts differ, none of them of the tree      -> no_baseline "incompatible-baseline"
///   a fact of the tree differs (fact_kind.h)        -> no_baseline "incompatible-tree"
///   stored, a latency of an open loop whose queue
///     grew                                          -> inconclusive "queue-unstable"; skipped without a gating role
///   stored, not measured                            -> failed "metric-missing"; skipped without a gating role
///   measured, not stored: of scope runner in a portable
///     baseline                                      -> not_judged "not-stored"
///   measured, not stored: newer than the baseline   -> not_judged "new-metric"
std::optional<MetricVerdict> without_comparison(const Presence& presence, const BaselineSide& side,
                                                const CaseValues& current);

/// The metrics of these names in the order of the catalogue, then unknown names as not gating with lower as better. The
/// result refers to the names.
std::vector<Metric> metrics_named(const std::set<std::string_view>& names, Tier tier);

}  // namespace stepgate
