// How the times of a case are spread over steps and processes: `stepgate report --distribution`, `stepgate run`.
#pragma once

#include <string>

#include "core/verdict/measured_times.h"
#include "report/text/console_style.h"

namespace stepgate {

/// One line per time: mean, median, standard deviation, P95, P99, minimum and maximum; below the table the FLOPs per
/// second, where they are declared, and what n counts. Fits 80 columns. "" for a case without times.
std::string render_times(const MeasuredTimes& times, const ConsoleStyle& style);

}  // namespace stepgate
