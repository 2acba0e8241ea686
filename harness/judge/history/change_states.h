// Which changes of an epoch ask for attention, and which do not.
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
  /// Changes of the epoch without its newest point.
  const std::vector<HistoryChange>& before;
  /// The reference case beside this case, under the same key; null if there is none.
  const HistoryEpoch* reference = nullptr;
  std::vector<const Acknowledgement*> acknowledged = {};  ///< those of this series
};

void set_change_states(const StateFacts& facts, HistoryEpoch& epoch);

/// The newest point of the epoch that measured this commit; both may be shortened to at least 7 digits.
std::optional<std::size_t> point_of_commit(const HistoryReport& report, const HistoryEpoch& epoch,
                                           const std::string& commit);

}  // namespace stepgate
