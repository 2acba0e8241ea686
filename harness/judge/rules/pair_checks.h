// Checks the rule's assumption about the differences of pairs: independent draws around one change.
#pragma once

#include <cstdint>
#include <span>

namespace stepgate {

/// ln(value) of each process in the order of the pairs, signed like the differences. Empty: not checked.
struct ProcessLogs {
  std::span<const double> base;
  std::span<const double> head;
};

/// Reasons against a decision at this interim analysis.
struct PairChecks {
  bool autocorrelated = false;  ///< neighbouring differences resemble each other (stats/von_neumann.h)
  bool drifting = false;        ///< differences grow or shrink from pair to pair (stats/linear_trend.h)
  /// A side's processes form two groups that the machine does not explain; pairs or differences show them.
  bool two_modes = false;
};

/// Probability that the check of autocorrelation (one-sided) or that of drift (two-sided) stops an interim analysis of
/// independent normal differences. False stops cost detection only if they stop every interim analysis for red;
/// docs/verdict_quality.md has measured shares.
inline constexpr double serial_check_level = 0.002;

/// The serial checks need this number of pairs: with fewer they cannot reach their level.
inline constexpr std::int64_t serial_check_pairs = 8;

/// The check for two modes needs this number of pairs. Its level is 1 % per side: a false alarm costs pairs, not
/// detection.
inline constexpr std::int64_t mode_check_pairs = 6;

/// Differences must be finite and not all equal. Process logs, if given, must be as many as the differences.
PairChecks check_pairs(std::span<const double> differences, const ProcessLogs& processes);

}  // namespace stepgate
