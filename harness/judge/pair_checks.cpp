#include "judge/pair_checks.h"

#include "stats/linear_trend.h"
#include "stats/two_clusters.h"
#include "stats/von_neumann.h"

namespace stepgate {
namespace {

bool has_two_modes(std::span<const double> side) {
  if (std::ssize(side) < mode_check_pairs) return false;
  return cluster_separation(side) > cluster_separation_critical(std::ssize(side));
}

}  // namespace

PairChecks check_pairs(std::span<const double> differences, const ProcessLogs& processes) {
  PairChecks checks;
  const auto pairs = std::ssize(differences);
  if (pairs >= serial_check_pairs) {
    checks.autocorrelated = von_neumann_p_value(von_neumann_ratio(differences), pairs) < serial_check_level;
    checks.drifting = linear_trend(differences).p_value < serial_check_level;
  }
  checks.two_modes = has_two_modes(processes.base) || has_two_modes(processes.head);
  return checks;
}

}  // namespace stepgate
