// Sessions as series: one for each case, metric and class of runners, divided into epochs by key.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/stored/history.h"
#include "core/study/history_report.h"

namespace stepgate {

/// Facts of the sessions and all series with their points, in the order of the commits; levels and changes are still
/// empty. A point is a commit: sessions of one commit under one key are joined. `keys` holds facts that the sessions
/// do not hold themselves. A time that is not positive is no point; it is listed. Metrics that stepgate does not know
/// get no direction and never alert. The sessions are used up: their values become the points.
HistoryReport history_series(std::vector<HistorySession> sessions, const std::map<std::string, Fingerprint>& keys);

}  // namespace stepgate
