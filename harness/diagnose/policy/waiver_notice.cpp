#include <fmt/format.h>

#include <string>

#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

Finding notice_of(const Waiver& waiver, const MetricVerdict& verdict) {
  Finding finding{
      .code = FindingCode::waiver, .severity = Severity::warning, .message = "", .advice = "", .metric = waiver.metric};
  if (verdict.reason == ReasonCode::waived) {
    finding.message = fmt::format("{}: {}", label_of(waiver.metric), verdict.detail);
    return finding;
  }
  finding.message = fmt::format("{}: may regress until {} by the waiver of {} ({})", label_of(waiver.metric),
                                waiver.until, waiver.owner, waiver.reason);
  const bool is_good = verdict.status == Status::pass || verdict.status == Status::improved;
  if (is_good) finding.advice = "the metric is not regressed: remove the waiver from the suite's policy.json.";
  return finding;
}

/// The verdict that the waiver excuses, or one on its metric that needs no excuse; nullptr where it was not judged.
const MetricVerdict* verdict_under(const Waiver& waiver, const CaseVerdict& verdict) {
  const MetricVerdict* found = nullptr;
  for (const MetricVerdict& each : verdict.metrics) {
    if (each.metric == waiver.metric && (found == nullptr || each.reason == ReasonCode::waived)) found = &each;
  }
  return found;
}

}  // namespace

std::vector<Finding> name_waivers(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (const Waiver& waiver : input.policy.waivers) {
    if (waiver.case_name != input.current.case_name || waiver.until < input.today) continue;
    if (const MetricVerdict* verdict = verdict_under(waiver, input.verdict)) {
      findings.push_back(notice_of(waiver, *verdict));
    }
  }
  return findings;
}

}  // namespace stepgate
