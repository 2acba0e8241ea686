// The one sign of a report page: "+" is worse, whichever direction of a metric is better.
#pragma once

#include <string>

#include "core/metric.h"
#include "core/verdict/case_evidence.h"
#include "core/verdict/verdict.h"
#include "report/page/page_chart.h"

namespace stepgate {

Tone tone_of(Status status);

/// How much worse a relative change of the value is: for a metric where higher is better, the inverse ratio, as the
/// rules judge it (judge/rules/value_change.h). Unchanged for all others.
double worse_of(const Metric* metric, double change);

/// The change of one metric by its verdict; absent if it has no relative change. `evidence` gives the margins; nullptr:
/// none.
std::optional<WorseChange> worse_change(const MetricVerdict& verdict, const CaseEvidence* evidence);

/// The change of each pair, in the order measured.
std::vector<double> worse_by_pair(const std::string& metric, const std::vector<Pair>& pairs);

/// "+4.2 %", "+1 (+0.05 %)", "0.30 % off" for a metric that may move neither way; "-" where nothing is known.
std::string worse_text(const MetricVerdict& verdict);

/// "+3.6 % to +4.8 %"; "" without an interval.
std::string worse_interval_text(const MetricVerdict& verdict);

/// "2 154 -> 2 155" with an arrow; one value alone, "" for none.
std::string values_text(const MetricVerdict& verdict);

}  // namespace stepgate
