// Words and numbers that the reports of a history share.
#pragma once

#include <string>

#include "core/study/history_report.h"

namespace stepgate {

const HistorySessionFacts& first_session(const HistoryReport& report, const HistoryPoint& point);
const HistorySessionFacts& last_session(const HistoryReport& report, const HistoryPoint& point);

/// "after 1111111 up to 3333333": the commits among which the change is.
std::string commits_text(const HistoryReport& report, const HistoryEpoch& epoch, const HistoryChange& change);

/// "+4.2 %"; "from 0" where there was nothing.
std::string history_change_text(const HistoryChange& change);

/// "alert", "acknowledged: larger vocabulary", "the machine: the reference case moved too", ...
std::string state_text(const HistoryChange& change);

/// ", imported from google-benchmark"; "" for what stepgate measured.
std::string origin_text(const HistoryReport& report, const HistoryEpoch& epoch);

/// Which facts differ between two epochs: "gpu_driver 550.1 -> 560.2".
std::string key_change_text(const HistoryReport& report, const HistoryEpoch& before, const HistoryEpoch& after);

}  // namespace stepgate
