// The history of a project: one immutable file a session, renames of cases, acknowledged changes (docs/history.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fingerprint.h"

namespace stepgate {

/// A metric of one case in one session.
struct HistoryValue {
  std::string metric;
  double median = 0;            ///< over clean processes, natural units; counters: mean per counted step
  std::int64_t replicates = 0;  ///< clean processes
  double spread = 0;            ///< (largest - smallest) / |median| over the processes; 0 where all agree
};

/// What one group of processes measured: group exact (counts and bytes) or group timed.
struct HistoryHalf {
  std::string key;  ///< digest of the facts that must match, in HistorySession::keys
  std::vector<HistoryValue> values;
  /// For an imported session, by metric: repetitions in all its processes. Those of one process are not replicates.
  std::map<std::string, std::int64_t> repetitions = {};
};

struct HistoryCase {
  std::string name;
  std::optional<HistoryHalf> exact;
  std::optional<HistoryHalf> timed;
};

/// One file: what one run of stepgate measured of one commit on one class of runners.
struct HistorySession {
  std::string runner_class;
  std::string utc;  ///< time of its first measurement
  std::int64_t unix_s = 0;
  std::string commit;
  std::optional<std::int64_t> commit_number = {};  ///< git rev-list --count; absent where git cannot tell
  std::optional<std::string> commit_utc = {};      ///< when it was committed; absent likewise
  /// git rev-list --first-parent --count: its place on its line of first parents. Absent where git cannot tell, and in
  /// a shallow clone, whose count ends where the clone does.
  std::optional<std::int64_t> first_parent_number = {};
  std::vector<std::string> parents = {};         ///< the first one is of the same line; empty likewise
  std::optional<std::int64_t> sequence = {};     ///< --sequence: a number that rises with each commit
  std::string run;                               ///< identifies the measurements, 16 digits
  std::map<std::string, Fingerprint> keys = {};  ///< digest -> facts
  std::vector<HistoryCase> cases = {};
  std::string file = {};  ///< where it was read from; not stored
};

/// The fact of a key that says which program measured an imported session; a key of stepgate's own results has none.
inline constexpr const char* imported_from_fact = "imported_from";

/// A case has another name from that commit on.
struct HistoryRename {
  std::string from;
  std::string to;
  std::string commit;
};

/// What somebody looked at. An acknowledgement holds for a finding of its kind alone.
enum class AcknowledgedKind {
  change,  ///< a change of level, or a drift that ends there
  gone,    ///< the series, or all of a class, ends with that commit: nothing measures it any more
};

/// Somebody looked at a finding and accepts it.
struct Acknowledgement {
  std::string series;  ///< text_of(SeriesName), or text_of_class() of a class that is gone
  std::string commit;  ///< commit of a session at the change, or the last one of what is gone
  std::string reason;
  std::string utc;
  /// How large the finding was then, relative; absent in files before minor 1, and for what is gone. A finding that
  /// grew since is a new one.
  std::optional<double> change = {};
  AcknowledgedKind kind = AcknowledgedKind::change;
};

/// A file in the place of a session that cannot be read.
struct UnreadableSession {
  std::string file;
  std::string problem;
  std::string remedy;
  std::string runner_class;                 ///< the first folder below that of the history
  std::optional<std::int64_t> unix_s = {};  ///< by its name; absent where the name says no time
};

/// Everything that lies in a history folder, sessions in the order of their files, names after the renames.
struct History {
  std::vector<HistorySession> sessions;
  std::vector<Acknowledgement> acknowledged;
  std::map<std::string, Fingerprint> keys = {};  ///< digest -> facts; those of read sessions are here alone
  std::vector<UnreadableSession> unreadable = {};
};

}  // namespace stepgate
