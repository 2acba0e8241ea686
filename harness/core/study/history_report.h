// What became of a history: series, epochs, levels, changes and what asks for attention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/metric.h"
#include "core/record/fingerprint.h"

namespace stepgate {

struct SeriesName {
  std::string case_name;
  std::string metric;
  std::string runner_class;

  friend bool operator==(const SeriesName&, const SeriesName&) = default;
};

/// "language/char_lm/tiny:step_time_ns@h200-16c": how commands and files name a series.
inline std::string text_of(const SeriesName& name) {
  return name.case_name + ":" + name.metric + "@" + name.runner_class;
}

/// One observation. Sessions of times that began less than 30 minutes after the first one of a point count as one.
struct HistoryPoint {
  std::size_t first_session = 0;  ///< index into HistoryReport::sessions
  std::size_t last_session = 0;
  std::size_t sessions = 1;  ///< how many count as this point
  double value = 0;          ///< natural units
  std::int64_t replicates = 0;
  double spread = 0;   ///< largest of its sessions, relative
  bool spike = false;  ///< a lone outlier, replaced by its neighbours in the analysis
};

/// Points [begin, end) of one level.
struct HistoryLevel {
  std::size_t begin = 0;
  std::size_t end = 0;
  double value = 0;  ///< natural units
};

enum class ChangeState {
  alert,         ///< worse, found in two analyses, and nobody acknowledged it
  acknowledged,  ///< worse, and somebody accepted the new level
  machine,       ///< the reference case moved the same way: the machine changed
  waiting,       ///< worse, and only the newest session made it visible
  repeated,      ///< worse, within 5 sessions of a change that was reported before
  noted          ///< better, or of a metric that decides no verdict
};
std::string_view name_of(ChangeState state);

/// A change of level between two neighbouring levels of an epoch.
struct HistoryChange {
  std::size_t index = 0;     ///< first point of the new level
  std::size_t earliest = 0;  ///< earliest point of its epoch at which it may have begun ...
  std::size_t latest = 0;    ///< ... and the latest one
  double change = 0;         ///< relative, as the value moved
  bool worse = false;
  ChangeState state = ChangeState::noted;
  std::string reason = {};  ///< reason of the acknowledgement
};

/// The newest level is worse than the best one since the last acknowledged change, in several steps.
struct HistoryCreep {
  std::size_t since_level = 0;     ///< the best level, index into HistoryEpoch::levels
  double change = 0;               ///< relative, positive is worse
  double lower_bound = 0;          ///< lower bound of `change`, one-sided 95 %
  std::vector<std::size_t> steps;  ///< the worse changes since then, indices into HistoryEpoch::changes
};

/// The points of a series under one key. No level spans two epochs.
struct HistoryEpoch {
  std::string key;  ///< digest
  std::vector<HistoryPoint> points;
  std::vector<HistoryLevel> levels;
  std::vector<HistoryChange> changes;
  std::optional<HistoryCreep> creep;
};

struct HistorySeries {
  SeriesName name;
  bool exact = false;  ///< counts and bytes: each change of the number is a change
  bool gates = false;
  Direction direction = Direction::neither;
  MetricUnit unit = MetricUnit::none;
  std::vector<HistoryEpoch> epochs;  ///< by their first point
  std::string not_analysed = {};     ///< why there are no levels, "" where there are
};

struct HistorySessionFacts {
  std::string utc;
  std::int64_t unix_s = 0;
  std::string commit;
  std::string runner_class;
};

/// Epochs that ended before the day of --since.
struct HiddenEpochs {
  std::size_t epochs = 0;
  std::size_t series = 0;    ///< how many lost an epoch
  std::size_t alerting = 0;  ///< epochs among them with an alert
};

struct HistoryReport {
  std::map<std::string, Fingerprint> keys;    ///< digest -> facts
  std::vector<HistorySessionFacts> sessions;  ///< oldest first
  std::vector<HistorySeries> series;          ///< by name
  HiddenEpochs hidden = {};                   ///< hidden epochs of the series that were asked for
};

/// Whether somebody must look: a change in state alert, or a creep.
bool has_alert(const HistoryEpoch& epoch);
bool has_alert(const HistorySeries& series);

}  // namespace stepgate
