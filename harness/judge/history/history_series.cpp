#include "judge/history/history_series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/record/fingerprint_mismatches.h"

namespace stepgate {
namespace {

/// The names of a series, borrowed.
struct SeriesPlace {
  const std::string& case_name;
  const std::string& metric;
  const std::string& runner_class;
  bool exact;
};

bool is_at(const SeriesPlace& place, const HistorySeries& series) {
  const SeriesName& name = series.name;
  return series.exact == place.exact && name.metric == place.metric && name.case_name == place.case_name &&
         name.runner_class == place.runner_class;
}

/// Finds series by name. A session has the same metrics as the one before in the same order, so the series that
/// followed the last one then is asked first.
class SeriesIndex {
 public:
  explicit SeriesIndex(std::vector<HistorySeries>& series) : series_(series) {}

  HistorySeries& at(const SeriesPlace& place) {
    const std::size_t guess = series_.empty() ? none : followers_[last_];
    const std::size_t found = guess < series_.size() && is_at(place, series_[guess]) ? guess : looked_up(place);
    followers_[last_] = found;
    last_ = found;
    return series_[found];
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t looked_up(const SeriesPlace& place) {
    const std::string key =
        place.case_name + '\n' + place.runner_class + (place.exact ? "\nexact\n" : "\ntimed\n") + place.metric;
    const auto [found, is_new] = index_.emplace(key, series_.size());
    if (is_new) {
      series_.push_back(new_series(place));
      followers_.push_back(none);
    }
    return found->second;
  }

  static HistorySeries new_series(const SeriesPlace& place) {
    HistorySeries series{
        .name = {place.case_name, place.metric, place.runner_class}, .exact = place.exact, .unit = {}, .epochs = {}};
    if (const Metric* metric = find_metric(place.metric)) {
      series.gates = metric->gates;
      series.direction = metric->direction;
      series.unit = metric->unit;
    }
    return series;
  }

  std::vector<HistorySeries>& series_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::size_t> followers_;  ///< for each series, the one that came after it last time
  std::size_t last_ = 0;
};

HistoryEpoch& epoch_of(HistorySeries& series, const std::string& key) {
  for (auto at = series.epochs.rbegin(); at != series.epochs.rend(); ++at) {
    if (at->key == key) return *at;
  }
  return series.epochs.emplace_back(HistoryEpoch{.key = key, .points = {}, .levels = {}, .changes = {}, .creep = {}});
}

/// The geometric mean of the sessions so far and the new one. Times that are not positive have no logarithm: the newest
/// counts.
void join(HistoryPoint& point, const HistoryValue& value, std::size_t session) {
  const bool logs = point.value > 0 && value.median > 0;
  const auto n = static_cast<double>(point.sessions++);
  point.value = logs ? std::exp((n * std::log(point.value) + std::log(value.median)) / (n + 1)) : value.median;
  point.last_session = session;
  point.replicates += value.replicates;
  point.spread = std::max(point.spread, value.spread);
}

/// Keys whose facts are the same by their rules of comparison are one: a driver moves the memory of a GPU by 0.03 %.
class SameKeys {
 public:
  void add(const std::map<std::string, Fingerprint>& keys) {
    for (const auto& [digest, facts] : keys) {
      if (first_.contains(digest)) continue;
      const auto same = std::find_if(distinct_.begin(), distinct_.end(),
                                     [&](const auto& known) { return same_key(known.second, facts); });
      first_[digest] = same == distinct_.end() ? digest : same->first;
      if (same == distinct_.end()) distinct_.emplace_back(digest, facts);
    }
  }

  /// The first of the keys that are the same as this one.
  const std::string& first_of(const std::string& digest) const {
    const auto found = first_.find(digest);
    return found == first_.end() ? digest : found->second;
  }

 private:
  std::unordered_map<std::string, std::string> first_;
  std::vector<std::pair<std::string, Fingerprint>> distinct_;
};

class SeriesBuilder {
 public:
  explicit SeriesBuilder(const std::vector<HistorySession>& sessions) : sessions_(sessions), index_(report_.series) {}

  HistoryReport build() {
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      const HistorySession& session = sessions_[i];
      report_.sessions.push_back({session.utc, session.unix_s, session.commit, session.runner_class});
      report_.keys.insert(session.keys.begin(), session.keys.end());
      keys_.add(session.keys);
      for (const HistoryCase& one : session.cases) {
        if (one.exact) add(i, one, *one.exact, true);
        if (one.timed) add(i, one, *one.timed, false);
      }
    }
    const auto by_name = [](const HistorySeries& a, const HistorySeries& b) {
      return std::tie(a.name.case_name, a.name.metric, a.name.runner_class) <
             std::tie(b.name.case_name, b.name.metric, b.name.runner_class);
    };
    std::sort(report_.series.begin(), report_.series.end(), by_name);
    return std::move(report_);
  }

 private:
  void add(std::size_t session, const HistoryCase& one, const HistoryHalf& half, bool exact) {
    const std::string& runner_class = sessions_[session].runner_class;
    for (const HistoryValue& value : half.values) {
      HistorySeries& series = index_.at({one.name, value.metric, runner_class, exact});
      add_value(session, value, epoch_of(series, keys_.first_of(half.key)), exact);
    }
  }

  void add_value(std::size_t session, const HistoryValue& value, HistoryEpoch& epoch, bool exact) {
    std::vector<HistoryPoint>& points = epoch.points;
    if (!exact && !points.empty()) {
      HistoryPoint& last = points.back();
      const std::int64_t gap_s = sessions_[session].unix_s - sessions_[last.first_session].unix_s;
      if (gap_s < history_session_gap_s) {
        join(last, value, session);
        return;
      }
    }
    points.push_back({.first_session = session,
                      .last_session = session,
                      .value = value.median,
                      .replicates = value.replicates,
                      .spread = value.spread});
  }

  const std::vector<HistorySession>& sessions_;
  HistoryReport report_;
  SeriesIndex index_;
  SameKeys keys_;
};

}  // namespace

HistoryReport history_series(const std::vector<HistorySession>& sessions) { return SeriesBuilder(sessions).build(); }

}  // namespace stepgate
