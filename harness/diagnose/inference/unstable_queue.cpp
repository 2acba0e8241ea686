#include <fmt/format.h>

#include <string>

#include "diagnose/both_sides.h"
#include "diagnose/questions_of_inference.h"

namespace stepgate {

std::vector<Finding> explain_unstable_queue(const JudgedComparison& input) {
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (verdict.reason != ReasonCode::queue_unstable) continue;
    const bool red = verdict.status == Status::regressed;
    return {{.code = FindingCode::queue_unstable,
             .severity = red ? Severity::cause : Severity::warning,
             .message = verdict.detail,
             .advice = red ? "requests come faster than this build answers them in time: the latencies of the closed "
                             "loop say how much slower it is."
                           : "give the case a lower request_rate_per_s, at most 70 % of what the slower side answers.",
             .metric = verdict.metric}};
  }
  return {};
}

}  // namespace stepgate
