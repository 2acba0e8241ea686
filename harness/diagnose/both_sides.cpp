#include "diagnose/both_sides.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/leading_time.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

std::optional<double> median_of(const std::vector<double>& values) {
  const bool finite = std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (values.empty() || !finite) return std::nullopt;
  return median(values);
}

std::optional<double> stored_median(const Baseline* baseline, const std::string& metric) {
  if (baseline == nullptr) return std::nullopt;
  std::vector<double> all;
  for (const Session& session : baseline->sessions) {
    const auto at = session.timed.find(metric);
    if (at != session.timed.end()) all.insert(all.end(), at->second.begin(), at->second.end());
  }
  return median_of(all);
}

std::optional<double> measured_median(const CaseValues& current, const std::string& metric) {
  const auto at = current.timed.find(metric);
  return at == current.timed.end() ? std::nullopt : median_of(at->second);
}

}  // namespace

const MetricVerdict* verdict_on(const JudgedComparison& input, std::string_view metric) {
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    if (verdict.metric == metric) return &verdict;
  }
  return nullptr;
}

bool is_red(const JudgedComparison& input, std::string_view metric) {
  const MetricVerdict* verdict = verdict_on(input, metric);
  return verdict != nullptr && verdict->status == Status::regressed;
}

bool is_red(const JudgedComparison& input, Tier tier) {
  return std::any_of(input.verdict.metrics.begin(), input.verdict.metrics.end(), [&](const MetricVerdict& verdict) {
    const Metric* metric = find_metric(verdict.metric);
    return verdict.gating && verdict.status == Status::regressed && metric != nullptr && metric->tier == tier;
  });
}

bool is_whole_time_red(const JudgedComparison& input) {
  return std::any_of(whole_times.begin(), whole_times.end(),
                     [&](std::string_view metric) { return is_red(input, metric); });
}

std::string leading_time(const JudgedComparison& input) {
  const auto found = std::find_if(leading_times.begin(), leading_times.end(), [&](std::string_view metric) {
    return verdict_on(input, metric) != nullptr || input.current.timed.contains(std::string(metric));
  });
  return std::string(found == leading_times.end() ? leading_times.front() : *found);
}

const Baseline* work_baseline(const JudgedComparison& input) {
  const Baseline* baseline = pointer_to(input.exact);
  return baseline != nullptr && has_exact_half(*baseline) ? baseline : nullptr;
}

std::optional<TimedPair> timed_pair(const JudgedComparison& input, const std::string& metric) {
  const MetricVerdict* verdict = verdict_on(input, metric);
  if (verdict != nullptr && verdict->baseline && verdict->current) {
    return TimedPair{*verdict->baseline, *verdict->current};
  }
  const auto before = stored_median(pointer_to(input.runner), metric);
  const auto now = measured_median(input.current, metric);
  if (!before || !now) return std::nullopt;
  return TimedPair{*before, *now};
}

std::optional<BytesPair> bytes_pair(const JudgedComparison& input, const std::string& metric) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return std::nullopt;
  const auto before = baseline->bytes.find(metric);
  const auto now = input.current.bytes.find(metric);
  if (before == baseline->bytes.end() || now == input.current.bytes.end()) return std::nullopt;
  if (before->second.empty() || now->second.empty()) return std::nullopt;
  return BytesPair{*std::max_element(before->second.begin(), before->second.end()),
                   *std::max_element(now->second.begin(), now->second.end())};
}

}  // namespace stepgate
