// Whether enough is measured of a series, up to the newest commit, that silence about it means something.
#pragma once

#include <vector>

#include "core/stored/history.h"
#include "core/study/history_report.h"
#include "judge/history/unmeasured.h"

namespace stepgate {

/// Fills the coverage of every series that decides verdicts.
void set_coverage(const SeriesAcknowledgements& acknowledged, HistoryReport& report);

/// The files that were left out. One is the newest where no session of its class that can be read is as new; a name
/// without a time counts as new.
std::vector<HistoryFault> faults_of(const std::vector<UnreadableSession>& unreadable, const HistoryReport& report);

}  // namespace stepgate
