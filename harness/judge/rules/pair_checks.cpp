#include "judge/rules/pair_checks.h"

#include "stats/linear_trend.h"
#include "stats/two_clusters.h"
#include "stats/von_neumann.h"

namespace stepgate {
namespace {

bool has_two_modes(std::span<const double> side) {
  if (std::ssize(side) < mode_check_pairs) return false;
  return two_clusters(side).separation > cluster_separation_critical(std::ssize(side));
}

/// True if both processes of every pair are in the same mode of their side. Such a mode belongs to the machine and
/// cancels in the difference. A mode of only some of the head's processes, or one that occurs on either side
/// independently, does not cancel; beside a larger mode of the machine only the differences show it.
bool modes_are_shared(const ProcessLogs& processes) {
  const double base_cut = two_clusters(processes.base).cut;
  const double head_cut = two_clusters(processes.head).cut;
  for (std::size_t i = 0; i < processes.base.size(); ++i) {
    if ((processes.base[i] > base_cut) != (processes.head[i] > head_cut)) return false;
  }
  return true;
}

}  // namespace

PairChecks check_pairs(std::span<const double> differences, const ProcessLogs& processes) {
  PairChecks checks;
  const auto pairs = std::ssize(differences);
  if (pairs >= serial_check_pairs) {
    checks.autocorrelated = von_neumann_p_value(von_neumann_ratio(differences), pairs) < serial_check_level;
    checks.drifting = linear_trend(differences).p_value < serial_check_level;
  }
  checks.two_modes = (has_two_modes(processes.base) || has_two_modes(processes.head)) &&
                     (has_two_modes(differences) || !modes_are_shared(processes));
  return checks;
}

}  // namespace stepgate
