#include "report/text/leading_label.h"

#include "core/leading_time.h"

namespace stepgate {

std::string leading_label(const RunReport& report) {
  bool steps = false;
  bool requests = false;
  for (const Outcome& outcome : report.outcomes) {
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      steps = steps || metric.metric == leading_times[0];
      requests = requests || metric.metric == leading_times[1];
    }
  }
  if (!requests) return "step time";
  return steps ? "step time or latency" : "mean latency";
}

}  // namespace stepgate
