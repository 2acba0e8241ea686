// Cases that pass, with metrics that gate and that their baseline does not hold.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

/// Whether it gates and was measured, and the baseline does not hold it.
bool is_new_metric(const MetricVerdict& metric);
bool has_new_metric(const CaseVerdict& verdict);

/// A pass that no waiver made: its values can be accepted together with those of other cases.
bool passes_without_waiver(const CaseVerdict& verdict);

/// Cases whose verdicts on that half all pass without a waiver, while a metric of one is new. In the order of their
/// first outcome.
std::vector<std::string> new_metric_cases(const std::vector<Outcome>& outcomes, TierChoice half);

}  // namespace stepgate
