// Which findings of an epoch ask for attention, and which do not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/stored/history.h"
#include "core/study/history_report.h"

namespace stepgate {

/// What decides the states of the changes of one epoch.
struct StateFacts {
  const HistoryReport& report;
  const HistorySeries& series;
  /// The reference case beside this case, under the same key; null if there is none.
  const HistoryEpoch* reference = nullptr;
  std::vector<const Acknowledgement*> acknowledged = {};  ///< those of this series
};

/// From the states that the analysis gave: what is of the machine, what somebody acknowledged, what stands beside an
/// alert. An acknowledgement holds for one change: the nearest one within history_quiet_points of its commit; of a
/// counter the one at its commit. It holds no longer where the change has outgrown it.
void set_change_states(const StateFacts& facts, HistoryEpoch& epoch);

/// The first point of the last acknowledged level: that of the last acknowledged change, or the commit of an
/// acknowledgement of a drift; 0 where there is none.
std::size_t acknowledged_level(const StateFacts& facts, const HistoryEpoch& epoch);

/// The newest point of the epoch that measured this commit; both may be shortened to at least 7 digits.
std::optional<std::size_t> point_of_commit(const HistoryReport& report, const HistoryEpoch& epoch,
                                           const std::string& commit);

/// What an acknowledgement of a commit would hold for. The kind `gone`: the series ends with the commit and is stale.
struct AcknowledgedFinding {
  AcknowledgedKind kind = AcknowledgedKind::change;
  std::optional<double> change = {};  ///< its size, relative; absent where it is not finite, and for `gone`
};
/// Absent where the series has nothing there.
std::optional<AcknowledgedFinding> finding_at(const HistoryReport& report, const HistorySeries& series,
                                              const std::string& commit);

}  // namespace stepgate
