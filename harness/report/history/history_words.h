// Words and numbers that the reports of a history share.
#pragma once

#include <string>

#include "core/study/history_report.h"

namespace stepgate {

const HistorySessionFacts& first_session(const HistoryReport& report, const HistoryPoint& point);
const HistorySessionFacts& last_session(const HistoryReport& report, const HistoryPoint& point);

/// "after 1111111 up to 3333333": the commits among which the change is. Says so where their order is not known.
std::string commits_text(const HistoryReport& report, const HistoryEpoch& epoch, const HistoryChange& change);

/// "+4.2 %"; "from 0" where there was nothing.
std::string history_change_text(const HistoryChange& change);

/// "alert", "acknowledged: larger vocabulary", "the machine: the reference case moved too", ...
std::string state_text(const HistoryChange& change);

/// Why the newest part of the series is not judged, "" where it is.
std::string coverage_text(const HistoryReport& report, const HistorySeries& series);

/// The commit of its newest point, "" where it has none.
std::string newest_commit(const HistoryReport& report, const HistorySeries& series);

/// How many commits stand where they were measured, because nothing else says their order; "" for none.
std::string order_text(const HistoryReport& report);

/// ", imported from google-benchmark"; "" for what stepgate measured.
std::string origin_text(const HistoryReport& report, const HistoryEpoch& epoch);

/// Which facts differ between two epochs: "gpu_driver 550.1 -> 560.2".
std::string key_change_text(const HistoryReport& report, const HistoryEpoch& before, const HistoryEpoch& after);

}  // namespace stepgate
