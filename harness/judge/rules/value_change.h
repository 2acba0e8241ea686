// How far a value moved, computed from how much worse it is.
#pragma once

#include <string>

#include "core/metric.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// The rules judge a metric of which higher is better by the inverse ratio, so that positive is worse for all. A report
/// tells how the value moved: 25 % worse is a value of 1 / 1.25 of the baseline, so -20 %. Unchanged where lower is
/// better.
double value_change(const Metric& metric, double worse);
Interval value_change(const Metric& metric, const Interval& worse);

/// The largest change of the value that is not red: "+1.0 %", of a metric where higher is better "-0.99 %".
std::string limit_text(const Metric& metric, double margin);

}  // namespace stepgate
