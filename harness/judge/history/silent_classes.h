// Classes of runners on which nothing is measured any more, while it is on others.
#pragma once

#include <string>
#include <vector>

#include "core/study/history_report.h"
#include "judge/history/series_coverage.h"

namespace stepgate {

/// Classes that the newest commits lack: at least 3 of them, and three times as many as usually lie between two commits
/// of the class. A class with too few commits for a judgement never was watched. A history of one class cannot tell.
std::vector<SilentClass> silent_classes(const SeriesAcknowledgements& acknowledged, const HistoryReport& report);

/// Whether this is the last commit of the class; it may be shortened to at least 7 digits.
bool ends_with_commit(const SilentClass& silent, const std::string& commit);

}  // namespace stepgate
