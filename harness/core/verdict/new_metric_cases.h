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

struct NewMetricCase {
  std::string name;
  std::vector<std::string> pending_digests;  ///< of the pending files that its verdicts by baselines left
};

/// Cases whose verdicts on that half all pass without a waiver, while a metric of one is new to the baseline. In the
/// order of their first outcome. A verdict of pairs chooses no case: it says what is new to another build.
std::vector<NewMetricCase> new_metric_cases(const std::vector<Outcome>& outcomes, TierChoice half);

}  // namespace stepgate
