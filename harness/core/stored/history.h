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
  std::string run;                                 ///< identifies the measurements, 16 digits
  std::map<std::string, Fingerprint> keys = {};    ///< digest -> facts
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

/// Somebody looked at a change and accepts the new level.
struct Acknowledgement {
  std::string series;  ///< text_of(SeriesName)
  std::string commit;  ///< commit of a session at the change
  std::string reason;
  std::string utc;
};

/// Everything that lies in a history folder, sessions oldest first, names after the renames.
struct History {
  std::vector<HistorySession> sessions;
  std::vector<Acknowledgement> acknowledged;
};

}  // namespace stepgate
