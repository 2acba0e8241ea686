#include "judge/history/history_series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/record/fingerprint_mismatches.h"
#include "judge/history/commit_order.h"
#include "judge/history/session_slots.h"

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

/// Own choice: a fact that differs in every session makes a key of each, and 100 000 of them would take hours to
/// compare.
constexpr std::size_t most_compared_keys = 200;

HistoryEpoch& epoch_of(HistorySeries& series, const std::string& key) {
  const std::size_t oldest = series.epochs.size() - std::min(series.epochs.size(), most_compared_keys);
  for (std::size_t i = series.epochs.size(); i-- > oldest;) {
    if (series.epochs[i].key == key) return series.epochs[i];
  }
  return series.epochs.emplace_back(HistoryEpoch{.key = key, .points = {}, .levels = {}, .changes = {}, .drift = {}});
}

/// Of two values of a counter the first one stays; that they differ is its spread.
void join_counter(HistoryPoint& point, const HistoryValue& value) {
  if (point.value == value.median) return;
  const double size = std::max(std::abs(point.value), std::abs(value.median));
  point.spread = std::max(point.spread, std::abs(point.value - value.median) / size);
}

/// The geometric mean of the sessions so far and the new one.
void join_time(HistoryPoint& point, const HistoryValue& value) {
  const auto n = static_cast<double>(point.sessions);
  point.value = std::exp((n * std::log(point.value) + std::log(value.median)) / (n + 1));
}

/// Keys whose facts are the same by their rules of comparison are one: a driver moves the memory of a GPU by 0.03 %.
class SameKeys {
 public:
  void add(const std::map<std::string, Fingerprint>& keys) {
    for (const auto& [digest, facts] : keys) {
      if (first_.contains(digest)) continue;
      const auto newest = distinct_.end() - static_cast<std::ptrdiff_t>(std::min(distinct_.size(), most_compared_keys));
      const auto same =
          std::find_if(newest, distinct_.end(), [&](const auto& known) { return same_key(known.second, facts); });
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
  SeriesBuilder(std::vector<HistorySession> sessions, const std::map<std::string, Fingerprint>& keys)
      : sessions_(std::move(sessions)), order_(sessions_), slots_(session_slots(sessions_)), index_(report_.series) {
    report_.keys = keys;
    keys_.add(keys);
  }

  HistoryReport build() {
    report_.sessions.reserve(sessions_.size());
    for (const std::size_t i : order_.sessions()) {
      HistorySession& session = sessions_[i];
      slot_ = slots_[i];
      report_.keys.insert(session.keys.begin(), session.keys.end());
      keys_.add(session.keys);
      const std::size_t place = order_.place_of(i);
      report_.sessions.push_back({.utc = std::move(session.utc),
                                  .unix_s = session.unix_s,
                                  .commit = std::move(session.commit),
                                  .runner_class = std::move(session.runner_class),
                                  .place = place,
                                  .place_by = order_.placed_by(place)});
      for (const HistoryCase& one : session.cases) {
        if (one.exact) add(one, *one.exact, true);
        if (one.timed) add(one, *one.timed, false);
      }
      std::vector<HistoryCase>().swap(session.cases);  // a long history would not fit into memory twice
    }
    const auto by_name = [](const HistorySeries& a, const HistorySeries& b) {
      return std::tie(a.name.case_name, a.name.metric, a.name.runner_class) <
             std::tie(b.name.case_name, b.name.metric, b.name.runner_class);
    };
    std::sort(report_.series.begin(), report_.series.end(), by_name);
    return std::move(report_);
  }

 private:
  const HistorySessionFacts& session_of(const HistoryPoint& point) const {
    return report_.sessions[point.last_session];
  }

  void add(const HistoryCase& one, const HistoryHalf& half, bool exact) {
    for (const HistoryValue& value : half.values) {
      HistorySeries& series = index_.at({one.name, value.metric, report_.sessions.back().runner_class, exact});
      if (!exact && !(value.median > 0))
        series.left_out.push_back(report_.sessions.size() - 1);
      else
        add_value(value, epoch_of(series, keys_.first_of(half.key)).points, exact);
    }
  }

  /// Of the session that the report got last.
  void add_value(const HistoryValue& value, std::vector<HistoryPoint>& points, bool exact) {
    const std::size_t session = report_.sessions.size() - 1;
    const std::size_t place = report_.sessions.back().place;
    if (points.empty() || session_of(points.back()).place != place) {
      const bool clear = points.empty() || order_.is_clear(session_of(points.back()).place, place);
      points.push_back({.first_session = session,
                        .last_session = session,
                        .value = value.median,
                        .replicates = value.replicates,
                        .spread = value.spread,
                        .order_unclear = !clear,
                        .slot = slot_});
      return;
    }
    HistoryPoint& point = points.back();
    if (exact)
      join_counter(point, value);
    else
      join_time(point, value);
    // A commit that was measured in several slots shares its error with no other.
    if (point.slot != slot_) point.slot = no_shared_slot + session;
    ++point.sessions;
    point.last_session = session;
    point.replicates += value.replicates;
    point.spread = std::max(point.spread, value.spread);
  }

  /// Numbers of slots are below it: there are at most as many as sessions.
  static constexpr std::size_t no_shared_slot = std::size_t{1} << 40U;

  std::vector<HistorySession> sessions_;
  CommitOrder order_;
  std::vector<std::size_t> slots_;
  HistoryReport report_;
  SeriesIndex index_;
  SameKeys keys_;
  std::size_t slot_ = 0;  ///< of the session that is added
};

}  // namespace

HistoryReport history_series(std::vector<HistorySession> sessions, const std::map<std::string, Fingerprint>& keys) {
  return SeriesBuilder(std::move(sessions), keys).build();
}

}  // namespace stepgate
