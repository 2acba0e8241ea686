// Compares the settings of a sweep round by round, on the log scale.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/study/sweep.h"
#include "judge/studies/sweep_rules.h"

namespace stepgate {

/// Relative; positive: the first is worse than the second.
struct PairedChange {
  std::optional<double> change;      ///< absent if no round has both
  std::optional<Interval> interval;  ///< absent with fewer than two such rounds
};

class SweepPairs {
 public:
  /// Settings that failed or have no positive value are not ranked.
  SweepPairs(const std::vector<SweepSetting>& settings, const SweepRules& rules);

  bool is_ranked(std::size_t setting) const { return !worse_[setting].empty(); }
  /// Absent if nothing is ranked.
  std::optional<std::size_t> best() const;
  /// The best of these settings, all ranked; the first among equals.
  std::size_t best_of(const std::vector<std::size_t>& settings) const;
  /// Paired t over common rounds, at the joint level of all comparisons with the best.
  PairedChange change(std::size_t first, std::size_t second) const;

 private:
  double mean_of(std::size_t setting) const;

  std::vector<std::map<std::int64_t, double>> worse_;  ///< round -> log of the metric, signed so that more is worse
  std::vector<std::int64_t> shared_;                   ///< rounds that every ranked setting has
  double level_ = 0;                                   ///< level of one comparison
};

}  // namespace stepgate
