#include "judge/history/change_states.h"

#include <algorithm>
#include <cmath>

#include "judge/history/history_limits.h"

namespace stepgate {
namespace {

constexpr std::size_t fewest_commit_digits = 7;

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

bool is_commit(const std::string& stored, const std::string& wanted) {
  if (stored == wanted) return true;
  return wanted.size() >= fewest_commit_digits && stored.starts_with(wanted);
}

bool found_before(const HistoryChange& change, const std::vector<HistoryChange>& before) {
  return std::any_of(before.begin(), before.end(), [&](const HistoryChange& other) {
    const bool overlaps = other.earliest <= change.latest && change.earliest <= other.latest;
    const bool near = distance(other.index, change.index) <= history_reference_points;
    return other.worse == change.worse && (overlaps || near);
  });
}

/// The sessions of the two epochs are the same, their points need not be: a session may lack one of the two.
bool machine_moved(const HistoryChange& change, const HistoryEpoch& epoch, const HistoryEpoch& reference) {
  const auto point_in = [&](std::size_t session) {
    const auto at = std::lower_bound(reference.points.begin(), reference.points.end(), session,
                                     [](const HistoryPoint& point, std::size_t s) { return point.last_session < s; });
    return static_cast<std::size_t>(at - reference.points.begin());
  };
  const std::size_t at = point_in(epoch.points[change.index].first_session);
  const double wanted = std::log1p(change.change);
  return std::any_of(reference.changes.begin(), reference.changes.end(), [&](const HistoryChange& other) {
    // The reference is a time: where the case lost throughput, the same machine made the reference longer.
    const double moved = std::log1p(other.change);
    return distance(other.index, at) <= history_reference_points && other.worse == change.worse &&
           std::abs(moved) >= std::abs(wanted) / 2;
  });
}

const Acknowledgement* acknowledged_by(const StateFacts& facts, const HistoryEpoch& epoch,
                                       const HistoryChange& change) {
  for (const Acknowledgement* one : facts.acknowledged) {
    const auto point = point_of_commit(facts.report, epoch, one->commit);
    if (point && distance(*point, change.index) <= history_quiet_points) return one;
  }
  return nullptr;
}

ChangeState state_of(const StateFacts& facts, const HistoryEpoch& epoch, const HistoryChange& change) {
  if (!facts.series.gates || !change.worse) return ChangeState::noted;
  if (facts.reference != nullptr && !facts.series.exact && machine_moved(change, epoch, *facts.reference))
    return ChangeState::machine;
  return found_before(change, facts.before) ? ChangeState::alert : ChangeState::waiting;
}

}  // namespace

std::optional<std::size_t> point_of_commit(const HistoryReport& report, const HistoryEpoch& epoch,
                                           const std::string& commit) {
  for (std::size_t i = epoch.points.size(); i-- > 0;) {
    const std::string& runner_class = report.sessions[epoch.points[i].first_session].runner_class;
    for (std::size_t s = epoch.points[i].first_session; s <= epoch.points[i].last_session; ++s) {
      // Between the sessions of a point, sessions of other classes may have begun.
      if (report.sessions[s].runner_class == runner_class && is_commit(report.sessions[s].commit, commit)) return i;
    }
  }
  return std::nullopt;
}

void set_change_states(const StateFacts& facts, HistoryEpoch& epoch) {
  std::optional<std::size_t> reported;  // index of the last change that was
  for (HistoryChange& change : epoch.changes) {
    change.state = state_of(facts, epoch, change);
    if (change.state == ChangeState::noted || change.state == ChangeState::machine) continue;
    if (const Acknowledgement* by = acknowledged_by(facts, epoch, change)) {
      change.state = ChangeState::acknowledged;
      change.reason = by->reason;
    } else if (reported && change.index - *reported <= history_quiet_points) {
      change.state = ChangeState::repeated;
    }
    if (change.state != ChangeState::waiting) reported = change.index;
  }
}

}  // namespace stepgate
