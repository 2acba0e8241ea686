#include "core/judged/judged_tiers.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/metric.h"

namespace stepgate {
namespace {

TierChoice half_of_metric(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->tier == Tier::timed ? TierChoice::timed : TierChoice::exact;
}

bool decides_the_case(const MetricVerdict& metric) { return metric.gating && metric.status != Status::not_judged; }

bool has_half(const RunReport& report, const std::string& case_name, TierChoice half) {
  const auto only = report.one_half.find(case_name);
  return only == report.one_half.end() || only->second == half;
}

/// A result of both halves may hold one only: pairs of times alone.
bool holds_half(const RunReport& report, const Outcome& outcome, TierChoice half) {
  if (outcome.kind.half != TierChoice::all) return outcome.kind.half == half;
  const auto& metrics = outcome.verdict.metrics;
  if (outcome.kind == whole_gate || metrics.empty()) return has_half(report, outcome.verdict.case_name, half);
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const MetricVerdict& metric) { return half_of_metric(metric) == half; });
}

/// Whether a waiver excused a regression of the half: judged, and no longer gating.
bool has_waived(const CaseVerdict& verdict, TierChoice half) {
  return std::any_of(verdict.metrics.begin(), verdict.metrics.end(), [&](const MetricVerdict& metric) {
    return half_of_metric(metric) == half && metric.reason == ReasonCode::waived;
  });
}

/// The worst gating metric of the half decides. Where the status of the case comes from no metric (a process failed, a
/// device is missing), it holds for both halves. A half without a judged metric is open, whatever the other half says.
JudgedTier tier_of(const Outcome& outcome, TierChoice half) {
  const CaseVerdict& verdict = outcome.verdict;
  JudgedTier tier{.case_name = verdict.case_name, .half = half, .outcome = &outcome, .status = verdict.status};
  bool by_metric = false;
  for (const MetricVerdict& metric : verdict.metrics) {
    if (!decides_the_case(metric)) continue;
    by_metric = by_metric || metric.status == verdict.status;
    const bool worse = tier.metric == nullptr || metric.status > tier.metric->status;
    if (half_of_metric(metric) == half && worse) tier.metric = &metric;
  }
  const bool of_the_case = verdict.status == Status::failed || verdict.status == Status::skipped;
  if (of_the_case && !by_metric) {
    tier.metric = nullptr;
  } else if (tier.metric != nullptr) {
    tier.status = tier.metric->status;
  } else if (has_waived(verdict, half)) {
    tier.status = Status::pass;
  } else if (by_metric || tier.is_judged()) {
    tier.status = Status::inconclusive;
  }
  return tier;
}

using NamedHalf = std::pair<std::string, TierChoice>;

std::set<NamedHalf> expected_halves(const RunReport& report) {
  std::set<NamedHalf> halves;
  for (const std::string& name : report.expected_cases) {
    for (const TierChoice half : both_halves) {
      if (has_half(report, name, half)) halves.emplace(name, half);
    }
  }
  return halves;
}

/// What a run itself holds: nothing else was asked for.
std::set<NamedHalf> held_halves(const RunReport& report) {
  std::set<NamedHalf> halves;
  for (const Outcome& outcome : report.outcomes) {
    for (const TierChoice half : both_halves) {
      if (holds_half(report, outcome, half)) halves.emplace(outcome.verdict.case_name, half);
    }
  }
  return halves;
}

}  // namespace

std::vector<JudgedTier> judged_tiers(const RunReport& report) {
  std::map<NamedHalf, JudgedTier> found;
  for (const auto& [name, half] : report.expected_cases.empty() ? held_halves(report) : expected_halves(report))
    found[{name, half}] = {.case_name = name, .half = half};
  for (const Outcome& outcome : report.outcomes) {
    for (const TierChoice half : both_halves) {
      const auto at = found.find({outcome.verdict.case_name, half});
      if (at == found.end() || at->second.is_judged() || !holds_half(report, outcome, half)) continue;
      const JudgedTier tier = tier_of(outcome, half);
      if (at->second.outcome == nullptr || tier.is_judged()) at->second = tier;
    }
  }
  std::vector<JudgedTier> tiers;
  for (auto& [name, tier] : found) tiers.push_back(std::move(tier));
  return tiers;
}

TierCount count_tiers(const std::vector<JudgedTier>& tiers, TierChoice half) {
  TierCount count;
  for (const JudgedTier& tier : tiers) {
    if (tier.half != half) continue;
    ++count.expected;
    if (tier.is_judged()) ++count.judged;
  }
  return count;
}

}  // namespace stepgate
