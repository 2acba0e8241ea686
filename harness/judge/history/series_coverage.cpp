#include "judge/history/series_coverage.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/record/fingerprint_mismatches.h"
#include "judge/history/history_limits.h"

namespace stepgate {
namespace {

/// The commits that were measured on each class, oldest first.
class ClassCommits {
 public:
  explicit ClassCommits(const HistoryReport& report) : report_(report) {
    for (const HistorySessionFacts& session : report.sessions) {
      std::vector<std::size_t>& places = places_[session.runner_class];
      if (places.empty() || places.back() != session.place) places.push_back(session.place);
    }
  }

  /// The number of a point's commit among those of its class.
  std::size_t number_of(const HistoryPoint& point) const {
    const HistorySessionFacts& session = report_.sessions[point.first_session];
    const std::vector<std::size_t>& places = places_.at(session.runner_class);
    const auto at = std::lower_bound(places.begin(), places.end(), session.place);
    return static_cast<std::size_t>(at - places.begin());
  }

  std::size_t count(const std::string& runner_class) const { return places_.at(runner_class).size(); }

 private:
  const HistoryReport& report_;
  std::map<std::string, std::vector<std::size_t>> places_;
};

/// A point of a series with its epoch.
struct PlacedPoint {
  std::size_t session;  ///< the first one of the point
  std::size_t epoch;
  std::size_t number;  ///< of its commit in its class
};

std::vector<PlacedPoint> placed_points(const HistorySeries& series, const ClassCommits& commits) {
  std::vector<PlacedPoint> points;
  for (std::size_t e = 0; e < series.epochs.size(); ++e) {
    for (const HistoryPoint& point : series.epochs[e].points)
      points.push_back({point.first_session, e, commits.number_of(point)});
  }
  std::sort(points.begin(), points.end(),
            [](const PlacedPoint& a, const PlacedPoint& b) { return a.session < b.session; });
  return points;
}

std::vector<std::size_t> numbers_of(const std::vector<PlacedPoint>& points) {
  std::vector<std::size_t> numbers;
  for (const PlacedPoint& point : points) numbers.push_back(point.number);
  return numbers;
}

std::vector<std::string> differing_facts(const HistoryReport& report, const HistorySeries& series,
                                         const std::set<std::size_t>& epochs) {
  std::set<std::string> facts;
  const Fingerprint& newest = report.keys.at(series.epochs[*epochs.rbegin()].key);
  for (const std::size_t e : epochs) {
    for (const FingerprintMismatch& one : differences(report.keys.at(series.epochs[e].key), newest))
      facts.insert(one.key);
  }
  return {facts.begin(), facts.end()};
}

/// The processes of each of the newest points disagreed: no change of such a counter is found.
bool lacks_exact_values(const HistoryEpoch& newest) {
  const std::size_t count = std::min(newest.points.size(), history_stale_sessions);
  return std::all_of(newest.points.end() - static_cast<std::ptrdiff_t>(count), newest.points.end(),
                     [](const HistoryPoint& point) { return point.spread != 0; });
}

class CoverageJudge {
 public:
  CoverageJudge(const SeriesAcknowledgements& acknowledged, const HistoryReport& report)
      : acknowledged_(acknowledged), report_(report), commits_(report) {}

  SeriesCoverage coverage_of(const HistorySeries& series) const {
    SeriesCoverage coverage{.needed = series.exact ? history_fewest_counts : history_fewest_times,
                            .left_out = series.left_out.size()};
    const std::vector<PlacedPoint> points = placed_points(series, commits_);
    if (points.empty()) {
      coverage.why = NotJudged::not_positive;
      return coverage;
    }
    const HistoryEpoch& newest = series.epochs[points.back().epoch];
    coverage.points = newest.points.size();
    coverage.missed = commits_.count(series.name.runner_class) - 1 - points.back().number;
    if (!series.left_out.empty() && series.left_out.back() > newest.points.back().last_session)
      coverage.why = NotJudged::not_positive;
    else if (is_stale(numbers_of(points), coverage.missed))
      coverage.why = is_gone(series, newest) ? NotJudged::gone : NotJudged::stale;
    else if (series.exact && lacks_exact_values(newest))
      coverage.why = NotJudged::no_exact_value;
    else
      look_at_keys(series, points, coverage);
    return coverage;
  }

 private:
  void look_at_keys(const HistorySeries& series, const std::vector<PlacedPoint>& points,
                    SeriesCoverage& coverage) const {
    std::set<std::size_t> epochs;
    const std::size_t first = points.size() - std::min(points.size(), history_key_points);
    for (std::size_t i = first; i < points.size(); ++i) epochs.insert(points[i].epoch);
    if (epochs.size() >= history_key_epochs)
      coverage.why = NotJudged::key_varies;
    else if (coverage.points < coverage.needed)
      coverage.why = series.epochs.size() > 1 ? NotJudged::short_epoch : NotJudged::new_series;
    if (coverage.why != NotJudged::no && epochs.size() > 1) coverage.facts = differing_facts(report_, series, epochs);
  }

  bool is_gone(const HistorySeries& series, const HistoryEpoch& newest) const {
    const HistorySessionFacts& last = report_.sessions[newest.points.back().first_session];
    return is_acknowledged_gone(acknowledged_, text_of(series.name), last.commit);
  }

  const SeriesAcknowledgements& acknowledged_;
  const HistoryReport& report_;
  ClassCommits commits_;
};

}  // namespace

void set_coverage(const SeriesAcknowledgements& acknowledged, HistoryReport& report) {
  const CoverageJudge judge(acknowledged, report);
  for (HistorySeries& series : report.series) {
    if (series.gates) series.coverage = judge.coverage_of(series);
  }
}

std::vector<HistoryFault> faults_of(const std::vector<UnreadableSession>& unreadable, const HistoryReport& report) {
  std::map<std::string, std::int64_t> newest_s;
  for (const HistorySessionFacts& session : report.sessions) {
    const auto [at, is_new] = newest_s.emplace(session.runner_class, session.unix_s);
    if (!is_new) at->second = std::max(at->second, session.unix_s);
  }
  std::vector<HistoryFault> faults;
  for (const UnreadableSession& one : unreadable) {
    const auto good = newest_s.find(one.runner_class);
    const bool newest = !one.unix_s || good == newest_s.end() || *one.unix_s >= good->second;
    faults.push_back({.file = one.file, .problem = one.problem, .newest = newest});
  }
  return faults;
}

}  // namespace stepgate
