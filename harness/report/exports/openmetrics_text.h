// A run as OpenMetrics, for Prometheus and GitLab's metrics report.
#pragma once

#include <string>

#include "core/verdict/exported_series.h"

namespace stepgate {

/// One gauge per metric with all its cases together. Times are in seconds and carry the unit, as the format asks for.
/// What stands in brackets in a metric's name becomes the label "member".
std::string openmetrics_text(const ExportedRun& run);

}  // namespace stepgate
