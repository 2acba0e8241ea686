// A history as a table for other programs, e.g. the CSV importer of Apache Otava.
#pragma once

#include <string>

#include "core/study/history_report.h"

namespace stepgate {

/// One line a session: time, commit, class, and a column for each series of the report ("CASE:METRIC@CLASS"), in
/// natural units. A cell is empty where the session lacks the series. A point of several sessions stands in the line of
/// the last one.
std::string render_history_csv(const HistoryReport& report);

}  // namespace stepgate
