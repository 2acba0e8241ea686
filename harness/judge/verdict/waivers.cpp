#include "judge/verdict/waivers.h"

#include <fmt/format.h>

#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

const Waiver* active_waiver(const Comparison& input, const std::string& metric) {
  for (const Waiver& waiver : input.policy.waivers) {
    const bool names_it = waiver.case_name == input.current.case_name && waiver.metric == metric;
    if (names_it && input.today <= waiver.until) return &waiver;
  }
  return nullptr;
}

bool is_requested(const Comparison& input, const std::string& name) {
  const Metric* metric = find_metric(name);
  if (metric == nullptr) return true;
  return metric->tier == Tier::timed ? input.judge_timed : input.judge_exact;
}

}  // namespace

void apply_waivers(const Comparison& input, std::vector<MetricVerdict>& verdicts) {
  for (MetricVerdict& verdict : verdicts) {
    if (verdict.status != Status::regressed) continue;
    const Waiver* waiver = active_waiver(input, verdict.metric);
    if (waiver == nullptr) continue;
    settle(verdict, Status::pass, ReasonCode::waived,
           fmt::format("waived by {} until {} ({}): {}", waiver->owner, waiver->until, waiver->reason, verdict.detail));
    verdict.gating = false;
  }
}

std::optional<std::string> expired_waiver(const Comparison& input) {
  for (const Waiver& waiver : input.policy.waivers) {
    const bool expired = waiver.case_name == input.current.case_name && waiver.until < input.today;
    if (!expired || !is_requested(input, waiver.metric)) continue;
    return fmt::format("the waiver of {} by {} ended on {}: fix the regression, accept it, or renew the waiver",
                       waiver.metric, waiver.owner, waiver.until);
  }
  return std::nullopt;
}

}  // namespace stepgate
