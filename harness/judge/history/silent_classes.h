// Classes of runners on which nothing is measured any more, while it is on others.
#pragma once

#include <vector>

#include "core/study/history_report.h"
#include "judge/history/unmeasured.h"

namespace stepgate {

/// Classes that the newest commits lack (is_stale()). A class with too few commits for a judgement never was watched. A
/// history of one class cannot tell.
std::vector<SilentClass> silent_classes(const SeriesAcknowledgements& acknowledged, const HistoryReport& report);

}  // namespace stepgate
