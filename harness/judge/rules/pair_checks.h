// Whether differences of pairs are what the rule takes them for: independent draws around one change.
#pragma once

#include <cstdint>
#include <span>

namespace stepgate {

/// ln(value) of each process in the order of the pairs, signed like the differences. Empty: not looked at.
struct ProcessLogs {
  std::span<const double> base;
  std::span<const double> head;
};

/// What speaks against deciding now.
struct PairChecks {
  bool autocorrelated = false;  ///< neighbouring differences resemble each other (stats/von_neumann.h)
  bool drifting = false;        ///< differences grow or shrink from pair to pair (stats/linear_trend.h)
  /// A side's processes fall into two groups that are not the machine's: pairs or differences tell.
  bool two_modes = false;
};

/// Probability with which the check of autocorrelation (one-sided) and that of drift (two-sided) each stop one interim
/// analysis at independent normal differences. A false stop costs detection only where every interim analysis for red
/// is stopped; measured shares are in docs/verdict_quality.md.
inline constexpr double serial_check_level = 0.002;

/// From so many pairs on the serial checks are made: fewer cannot reach their level.
inline constexpr std::int64_t serial_check_pairs = 8;

/// From so many pairs on the check for two modes is made, at 1 % for each side: a false one costs pairs, not detection.
inline constexpr std::int64_t mode_check_pairs = 6;

/// Differences must be finite and not all equal. Process logs, where given, are as many as the differences.
PairChecks check_pairs(std::span<const double> differences, const ProcessLogs& processes);

}  // namespace stepgate
