#include "judge/history/epoch_drift.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "judge/history/machine_share.h"

namespace stepgate {
namespace {

double margin_of(const DriftFacts& facts) { return std::log1p(facts.limits.ignore_margin); }

/// What changes of this state explain of a drift, ln units. Those of an earlier analysis may be the drift itself.
double explained_by(const DriftFacts& facts, const Drift& found, ChangeState state) {
  double explained = 0;
  for (const HistoryChange& change : facts.epoch.changes) {
    const bool within = change.index > found.since && change.index < found.found;
    if (change.state == state && within && change.worse && !change.of_earlier_analysis)
      explained += std::abs(std::log1p(change.change));
  }
  return explained;
}

/// The same drift with places of the epoch in place of those of the relative series.
Drift in_the_epoch(const RelativeSeries& relative, Drift drift) {
  drift.since = relative.points[drift.since];
  drift.found = relative.points[drift.found - 1] + 1;
  return drift;
}

/// A drift, and whether it is the machine's.
struct OwnedDrift {
  Drift drift;
  bool machine = false;
};

/// Where the machine has a part in the drift, that of the case beside the reference case decides, also a later one.
std::optional<OwnedDrift> owned_drift(const DriftFacts& facts, const Drift& found) {
  if (facts.reference == nullptr) return OwnedDrift{found};
  const RelativeSeries relative = relative_to_reference({facts.report, facts.series, facts.epoch, *facts.reference});
  const ComparedRanges ranges{{found.since, found.since + found.stretch}, {found.found - found.stretch, found.found}};
  const bool explained = machine_share(relative, ranges, found.log_change).explains;
  const double by_changes = explained_by(facts, found, ChangeState::machine);
  if (!explained && by_changes == 0) return OwnedDrift{found};
  const auto first = std::lower_bound(relative.points.begin(), relative.points.end(), facts.first_point);
  const auto begin = static_cast<std::size_t>(first - relative.points.begin());
  if (const auto beside = first_drift({relative.measured_ratios}, begin, facts.limits))
    return OwnedDrift{in_the_epoch(relative, *beside)};
  if (explained && by_changes == 0) return OwnedDrift{found, true};
  // The changes say already that it is the machine. What they leave must not be a drift of its own.
  const bool all = explained || !(found.lower_bound - by_changes > margin_of(facts));
  return all ? std::nullopt : std::optional(OwnedDrift{found});
}

/// The first point after the last level that was no worse than where the drift began.
std::size_t last_time_back(const DriftFacts& facts, const Drift& found) {
  double base = 0;
  for (std::size_t i = found.since; i < found.since + found.stretch; ++i)
    base += facts.analysis.filtered[i] / static_cast<double>(found.stretch);
  std::size_t back = found.since;
  for (const Segment& level : facts.analysis.segments) {
    if (level.end > found.since && level.level <= base + margin_of(facts)) back = std::max(back, level.end);
  }
  return back;
}

}  // namespace

std::optional<HistoryDrift> drift_of(const DriftFacts& facts) {
  const auto first = first_drift(facts.measured, facts.first_point, facts.limits);
  if (!first) return std::nullopt;
  const auto owned = owned_drift(facts, *first);
  if (!owned) return std::nullopt;
  const Drift& found = owned->drift;
  // Alerts with a line of their own keep the series red.
  const double by_alerts = explained_by(facts, found, ChangeState::alert);
  if (!(found.lower_bound - by_alerts > margin_of(facts))) return std::nullopt;
  HistoryDrift drift{.since = found.since,
                     .found = found.found - 1,
                     .stretch = found.stretch,
                     .change = std::expm1(found.log_change),
                     .lower_bound = std::expm1(found.lower_bound),
                     .change_now = std::expm1(found.log_change_now),
                     .machine = owned->machine,
                     .steps = {}};
  const std::size_t back = last_time_back(facts, found);
  for (std::size_t i = 0; i < facts.epoch.changes.size(); ++i) {
    const HistoryChange& change = facts.epoch.changes[i];
    const bool counts = change.worse && !change.of_earlier_analysis && change.state != ChangeState::machine;
    if (counts && change.index >= back) drift.steps.push_back(i);
  }
  return drift;
}

}  // namespace stepgate
