#include "core/verdict/new_metric_cases.h"

#include <algorithm>
#include <map>

namespace stepgate {
namespace {

bool is_about(const Outcome& outcome, TierChoice half) {
  return half == TierChoice::all || outcome.kind.half == TierChoice::all || outcome.kind.half == half;
}

/// What was judged of one case, in one half or in both.
struct JudgedHalves {
  bool has_new_metric = false;
  bool pass = true;
};

}  // namespace

bool is_new_metric(const MetricVerdict& metric) {
  return metric.gating && metric.status == Status::not_judged && metric.reason == ReasonCode::new_metric;
}

bool has_new_metric(const CaseVerdict& verdict) {
  return std::any_of(verdict.metrics.begin(), verdict.metrics.end(), is_new_metric);
}

bool passes_without_waiver(const CaseVerdict& verdict) {
  const bool waived = std::any_of(verdict.metrics.begin(), verdict.metrics.end(),
                                  [](const MetricVerdict& metric) { return metric.reason == ReasonCode::waived; });
  return verdict.status == Status::pass && !waived;
}

std::vector<std::string> new_metric_cases(const std::vector<Outcome>& outcomes, TierChoice half) {
  std::vector<std::string> names;
  std::map<std::string, JudgedHalves> judged;
  for (const Outcome& outcome : outcomes) {
    if (!is_about(outcome, half)) continue;
    const auto [at, first] = judged.try_emplace(outcome.verdict.case_name);
    if (first) names.push_back(at->first);
    at->second.has_new_metric = at->second.has_new_metric || has_new_metric(outcome.verdict);
    at->second.pass = at->second.pass && passes_without_waiver(outcome.verdict);
  }
  std::erase_if(names, [&](const std::string& name) {
    const JudgedHalves& halves = judged.at(name);
    return !halves.has_new_metric || !halves.pass;
  });
  return names;
}

}  // namespace stepgate
