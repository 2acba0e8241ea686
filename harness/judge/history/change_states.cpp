#include "judge/history/change_states.h"

#include <algorithm>
#include <cmath>

#include "core/text/commit_text.h"
#include "judge/history/history_limits.h"
#include "judge/history/machine_share.h"
#include "stats/trend/trend_limits.h"

namespace stepgate {
namespace {

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

bool is_reported(const HistoryChange& change) {
  return change.state != ChangeState::noted && change.state != ChangeState::machine;
}

bool is_near(const HistorySeries& series, const HistoryChange& change, std::size_t point) {
  if (series.exact) return point == change.index;  // a later analysis of a counter finds the same places
  return (change.earliest <= point && point <= change.latest) || distance(point, change.index) <= history_quiet_points;
}

/// Index of the change that an acknowledgement at this point holds for.
std::optional<std::size_t> change_near(const HistorySeries& series, const HistoryEpoch& epoch, std::size_t point) {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < epoch.changes.size(); ++i) {
    const HistoryChange& change = epoch.changes[i];
    if (!change.worse || !is_reported(change) || !is_near(series, change, point)) continue;
    if (!nearest || distance(change.index, point) < distance(epoch.changes[*nearest].index, point)) nearest = i;
  }
  return nearest;
}

/// An acknowledgement of an older version does not say how much it accepts.
bool has_outgrown(const HistoryChange& change, const Acknowledgement& by) {
  if (!by.change || !std::isfinite(change.change)) return false;
  const double size = std::abs(std::log1p(change.change));
  const double accepted = std::abs(std::log1p(*by.change));
  return size > history_outgrown * accepted && size > accepted + std::log1p(TrendLimits{}.ignore_margin);
}

bool asks_for_attention(const StateFacts& facts, const HistoryChange& change) {
  return facts.series.gates && change.worse;
}

/// Times that the reference case lengthened too are the machine's.
void set_machine_states(const StateFacts& facts, HistoryEpoch& epoch) {
  const bool needed = std::any_of(epoch.changes.begin(), epoch.changes.end(),
                                  [&](const HistoryChange& change) { return asks_for_attention(facts, change); });
  if (!needed || facts.reference == nullptr || facts.series.exact) return;
  const RelativeSeries relative = relative_to_reference({facts.report, facts.series, epoch, *facts.reference});
  for (HistoryChange& change : epoch.changes) {
    if (!asks_for_attention(facts, change)) continue;
    const MachineShare share =
        machine_share(relative, ranges_beside(epoch, change), std::abs(std::log1p(change.change)));
    change.machine = std::expm1(share.moved);
    if (share.explains) change.state = ChangeState::machine;
  }
}

void acknowledge(const Acknowledgement& by, HistoryChange& change) {
  if (has_outgrown(change, by)) {
    if (change.state != ChangeState::acknowledged) change.acknowledged_change = by.change;
    return;
  }
  change.state = ChangeState::acknowledged;
  change.reason = by.reason;
  change.acknowledged_change.reset();
}

/// An acknowledgement of a change or a drift, and where the level that it accepts begins.
struct AcceptedLevel {
  const Acknowledgement* by;
  std::optional<std::size_t> change;  ///< index into HistoryEpoch::changes; absent for a drift
  std::size_t first_point;
};

std::vector<AcceptedLevel> accepted_levels(const StateFacts& facts, const HistoryEpoch& epoch) {
  std::vector<AcceptedLevel> levels;
  for (const Acknowledgement* one : facts.acknowledged) {
    if (one->kind != AcknowledgedKind::change) continue;
    const auto point = point_of_commit(facts.report, epoch, one->commit);
    if (!point) continue;
    const auto change = change_near(facts.series, epoch, *point);
    levels.push_back({one, change, change ? epoch.changes[*change].index : *point});
  }
  // The last one accepts the newest level.
  std::stable_sort(levels.begin(), levels.end(),
                   [](const AcceptedLevel& a, const AcceptedLevel& b) { return a.first_point < b.first_point; });
  return levels;
}

}  // namespace

std::optional<std::size_t> point_of_commit(const HistoryReport& report, const HistoryEpoch& epoch,
                                           const std::string& commit) {
  for (std::size_t i = epoch.points.size(); i-- > 0;) {
    if (names_commit(commit, report.sessions[epoch.points[i].first_session].commit)) return i;
  }
  return std::nullopt;
}

std::size_t acknowledged_level(const StateFacts& facts, const HistoryEpoch& epoch) {
  const std::vector<AcceptedLevel> levels = accepted_levels(facts, epoch);
  return levels.empty() ? 0 : levels.back().first_point;
}

void set_change_states(const StateFacts& facts, HistoryEpoch& epoch) {
  for (HistoryChange& change : epoch.changes) {
    if (!asks_for_attention(facts, change)) change.state = ChangeState::noted;
  }
  set_machine_states(facts, epoch);
  const std::vector<AcceptedLevel> levels = accepted_levels(facts, epoch);
  for (const AcceptedLevel& level : levels) {
    if (level.change) acknowledge(*level.by, epoch.changes[*level.change]);
  }
  std::optional<std::size_t> reported;  // index of the last alert
  for (HistoryChange& change : epoch.changes) {
    if (!is_reported(change) || change.state == ChangeState::acknowledged) continue;
    // Whoever accepts a later level accepts what the whole series does not show before it.
    if (change.of_earlier_analysis && !levels.empty() && change.index <= levels.back().first_point) {
      change.state = ChangeState::acknowledged;
      change.reason = levels.back().by->reason;
    } else if (reported && change.index - *reported <= history_quiet_points) {
      change.state = ChangeState::repeated;
    }
    if (change.state == ChangeState::alert) reported = change.index;
  }
}

std::optional<AcknowledgedFinding> finding_at(const HistoryReport& report, const HistorySeries& series,
                                              const std::string& commit) {
  bool is_gone = false;
  for (std::size_t e = series.epochs.size(); e-- > 0;) {
    const HistoryEpoch& epoch = series.epochs[e];
    const auto point = point_of_commit(report, epoch, commit);
    if (!point) continue;
    const bool ends_there = series.coverage.why == NotJudged::stale && *point + 1 == epoch.points.size();
    const auto at = change_near(series, epoch, *point);
    if (at && !(ends_there && epoch.changes[*at].state == ChangeState::acknowledged)) {
      const double size = epoch.changes[*at].change;
      return AcknowledgedFinding{.change = std::isfinite(size) ? std::optional(size) : std::nullopt};
    }
    if (epoch.drift && !epoch.drift->machine && *point + epoch.drift->stretch >= epoch.drift->found)
      return AcknowledgedFinding{.change = epoch.drift->change};
    is_gone = is_gone || ends_there;
  }
  if (is_gone) return AcknowledgedFinding{.kind = AcknowledgedKind::gone};
  return std::nullopt;
}

}  // namespace stepgate
