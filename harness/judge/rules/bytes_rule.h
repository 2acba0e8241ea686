// Tier bytes: exact where replicates agree, else the range rule.
#pragma once

#include <cstdint>
#include <span>

#include "core/metric.h"
#include "core/stored/policy.h"
#include "core/verdict/case_values.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Exact processes per build that a red in bytes needs. With two, bytes that vary from process to process make 9 to 73
/// % of unchanged suites red; with six, at most 0.4 % (docs/verdict_quality.md).
inline constexpr std::int64_t confirming_processes = 6;

/// Both sides of one bytes metric.
struct BytesSides {
  std::span<const std::int64_t> current;   ///< one per replicate, at least one
  std::span<const std::int64_t> baseline;  ///< stored: distinct values; interleaved: one per replicate; at least one
  /// True if both sides were measured interleaved and are therefore exchangeable. A stored baseline is not: its values
  /// come from another session, and the range rule's false alarm probability does not hold across sessions.
  bool interleaved = false;
};

/// Parameters of the bytes rule.
struct BytesLimits {
  std::int64_t tolerance = 0;     ///< policy.bytes_tolerance
  double relative_tolerance = 0;  ///< policy.bytes_relative_tolerance
  double share = 0.05;            ///< alpha / M
};

/// The limits of the policy. A metric with a margin of its own (Metric::margin) gets that margin.
BytesLimits limits_of(const Metric& metric, const Policy& policy, double share);

/// By how many bytes a value may lie above the baseline: whole bytes, since no fraction of one can be allocated.
std::int64_t allowed_increase(const BytesLimits& limits, std::int64_t baseline);

/// Fills in status, reason, detail and figures of `verdict` (docs/design/verdicts.md, "Tier bytes"), with the limit
/// max(B) + max(tolerance, relative_tolerance * max(B)):
///   a growth that is judged from zero (is_from_zero()), baseline 0 or less, each replicate above 0
///                                                              -> regressed "leak", under any tolerance
///   both sides constant                                        -> above the limit regressed "above-limit",
///                        above B pass "within-limit", below B improved "below-baseline", else pass "equal"
///   they vary, all current values within the limit             -> pass "within-limit"
///   they vary, all above it, interleaved, 1/C(nH+nB, nH) <= share -> regressed "above-limit"
///   otherwise                                                  -> inconclusive "bytes-vary" ("counts-vary")
void apply_bytes_rule(const Metric& metric, const BytesSides& sides, const BytesLimits& limits, MetricVerdict& verdict);

/// True if, for a gating metric of tier bytes, a process of `head` is above the largest of `base` plus its tolerance:
/// it is red or undecided, so more processes are useful. Growth below a noise floor is another question
/// (growth_rule.h).
bool bytes_grew(const CaseValues& base, const CaseValues& head, const Policy& policy);

}  // namespace stepgate
