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

/// "@h200-16c": how commands and files name a class of runners.
inline std::string text_of_class(const std::string& runner_class) { return "@" + runner_class; }

/// One commit. Its sessions under one key count as one observation.
struct HistoryPoint {
  std::size_t first_session = 0;  ///< index into HistoryReport::sessions
  std::size_t last_session = 0;
  std::size_t sessions = 1;  ///< how many count as this point
  double value = 0;          ///< natural units
  std::int64_t replicates = 0;
  double spread = 0;           ///< largest of its sessions, relative
  bool spike = false;          ///< a lone outlier, replaced by its neighbours in the analysis
  bool order_unclear = false;  ///< nothing says whether its commit comes after that of the point before
  std::size_t slot = 0;        ///< points of one slot of 30 minutes share an error of the machine
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
  waiting,       ///< worse, and not certain yet: two analyses running must find it
  repeated,      ///< worse, within 5 points of an alert
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
  double machine = 0;       ///< what the reference case moved there, relative, worse positive; 0 where it did not
  bool of_earlier_analysis = false;                ///< an alert that the whole series no longer places there
  std::optional<double> acknowledged_change = {};  ///< of an acknowledgement that this change has outgrown
};

/// The newest points are worse than the best ones since the last acknowledged change, in however small steps. Once
/// found it stays, also where the level comes back, until somebody acknowledges it.
struct HistoryDrift {
  std::size_t since = 0;           ///< first point of the best stretch
  std::size_t found = 0;           ///< the point with which two analyses running had found it
  std::size_t stretch = 0;         ///< points of each of the two stretches that are compared
  double change = 0;               ///< relative when it was found, positive is worse
  double lower_bound = 0;          ///< lower bound of `change`, one-sided 95 %
  double change_now = 0;           ///< the newest stretch against the same best one
  bool machine = false;            ///< the reference case drifted as much: no alert
  std::vector<std::size_t> steps;  ///< worse changes since the level was last back, indices into HistoryEpoch::changes
};

/// The points of a series under one key. No level spans two epochs.
struct HistoryEpoch {
  std::string key;  ///< digest
  std::vector<HistoryPoint> points;
  std::vector<HistoryLevel> levels;
  std::vector<HistoryChange> changes;
  std::optional<HistoryDrift> drift;
};

/// Why the newest part of a series is not judged.
enum class NotJudged {
  no,              ///< it is judged
  new_series,      ///< too few points, and there never were others
  short_epoch,     ///< too few points since its key changed
  key_varies,      ///< its newest points have several keys: a fact of the key changes by itself
  not_positive,    ///< its newest value is 0 or negative, where a time was expected
  no_exact_value,  ///< a counter whose processes disagreed at its newest commits
  stale,           ///< the newest sessions of its class lack it
  gone             ///< likewise, and somebody acknowledged that
};

struct SeriesCoverage {
  NotJudged why = NotJudged::no;
  std::size_t points = 0;               ///< what it has ...
  std::size_t needed = 0;               ///< ... of what it needs
  std::size_t missed = 0;               ///< sessions of its class since its last one
  std::size_t left_out = 0;             ///< sessions whose value is not positive
  std::vector<std::string> facts = {};  ///< of the key, those that differ between the newest epochs
};

struct HistorySeries {
  SeriesName name;
  bool exact = false;  ///< counts and bytes: each change of the number is a change
  bool gates = false;
  Direction direction = Direction::neither;
  MetricUnit unit = MetricUnit::none;
  std::vector<HistoryEpoch> epochs;        ///< by their first point; none where no value could be taken
  std::vector<std::size_t> left_out = {};  ///< sessions whose value is not positive, where only a positive one can be
  SeriesCoverage coverage = {};
};

/// What the place of a commit in the order of a history rests on.
enum class PlaceBy {
  ancestry,    ///< its number among the commits, stored with the session
  sequence,    ///< --sequence
  measurement  ///< neither is known: it stands where it was measured
};

struct HistorySessionFacts {
  std::string utc;
  std::int64_t unix_s = 0;
  std::string commit;
  std::string runner_class;
  std::size_t place = 0;  ///< of its commit among the commits
  PlaceBy place_by = PlaceBy::ancestry;
};

/// A file in the place of a session that was left out.
struct HistoryFault {
  std::string file;
  std::string problem;
  bool newest = false;  ///< no later session of its class can be read
};

/// A class of runners on which the newest commits were not measured, while they were on others.
struct SilentClass {
  std::string runner_class;
  std::string commit;      ///< the last one that was measured on it
  std::size_t missed = 0;  ///< commits of the history since then
  bool gone = false;       ///< somebody acknowledged that
};

/// Epochs that ended before the day of --since.
struct HiddenEpochs {
  std::size_t epochs = 0;
  std::size_t series = 0;    ///< how many lost an epoch
  std::size_t alerting = 0;  ///< epochs among them with an alert
};

struct HistoryReport {
  std::map<std::string, Fingerprint> keys;    ///< digest -> facts
  std::vector<HistorySessionFacts> sessions;  ///< oldest commit first, then oldest session
  std::vector<HistorySeries> series;          ///< by name
  HiddenEpochs hidden = {};                   ///< hidden epochs of the series that were asked for
  std::vector<HistoryFault> unreadable = {};
  std::vector<SilentClass> silent = {};
};

/// Whether somebody must look: a change in state alert, or a drift that is not the machine's.
bool has_alert(const HistoryEpoch& epoch);
bool has_alert(const HistorySeries& series);

/// Whether the newest part of the series was judged, or need not be.
bool is_covered(const HistorySeries& series);

/// What a nightly job is told.
enum class HistoryStanding {
  quiet,      ///< every series was judged, and nothing asks for attention
  alert,      ///< a change or a drift that nobody acknowledged
  not_judged  ///< no alert, but a series, a class, the newest session or everything was not judged
};
HistoryStanding standing_of(const HistoryReport& report);

}  // namespace stepgate
