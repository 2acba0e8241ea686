#include "report/page/worse_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
#include "report/gate/metric_cells.h"

namespace stepgate {
namespace {

bool higher_is_better(const Metric* metric) {
  return metric != nullptr && metric->direction == Direction::higher_is_better;
}

Interval worse_bounds(const Metric* metric, const Interval& moved) {
  const double first = worse_of(metric, moved.lower);
  const double second = worse_of(metric, moved.upper);
  return {std::min(first, second), std::max(first, second)};
}

/// "1.2 %" of 0.012 or -0.012.
std::string size_text(double change) {
  std::string text = change_text(std::abs(change));
  return text.starts_with('+') ? text.substr(1) : text;
}

}  // namespace

Tone tone_of(Status status) {
  switch (status) {
    case Status::failed:
    case Status::regressed:
      return Tone::bad;
    case Status::inconclusive:
    case Status::no_baseline:
      return Tone::unsure;
    case Status::pass:
    case Status::improved:
      return Tone::good;
    case Status::skipped:
    case Status::not_judged:
      break;
  }
  return Tone::plain;
}

double worse_of(const Metric* metric, double change) {
  return higher_is_better(metric) && change > -1 ? 1 / (1 + change) - 1 : change;
}

std::optional<WorseChange> worse_change(const MetricVerdict& verdict, const CaseEvidence* evidence) {
  if (!verdict.change || !std::isfinite(*verdict.change)) return std::nullopt;
  const Metric* metric = find_metric(verdict.metric);
  WorseChange worse{.change = worse_of(metric, *verdict.change), .tone = tone_of(verdict.status)};
  if (verdict.interval) worse.interval = worse_bounds(metric, *verdict.interval);
  if (evidence == nullptr) return worse;
  if (const auto found = evidence->margins.find(verdict.metric); found != evidence->margins.end()) {
    worse.margins = found->second;
  }
  return worse;
}

std::vector<double> worse_by_pair(const std::string& metric, const std::vector<Pair>& pairs) {
  std::vector<double> changes;
  for (const Pair& pair : pairs) {
    if (pair.base > 0 && pair.head > 0) changes.push_back(worse_of(find_metric(metric), pair.head / pair.base - 1));
  }
  return changes;
}

std::string worse_text(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  if (metric != nullptr && metric->direction == Direction::neither && verdict.change) {
    return *verdict.change == 0 ? "0 %" : size_text(*verdict.change) + " off";
  }
  const bool whole = metric != nullptr && (metric->tier == Tier::exact || metric->tier == Tier::bytes);
  if (!whole || !verdict.baseline || !verdict.current) {
    return verdict.change ? change_text(worse_of(metric, *verdict.change)) : "-";
  }
  const double rise = *verdict.current - *verdict.baseline;
  std::string text = difference_text(metric->unit, higher_is_better(metric) ? -rise : rise);
  if (rise != 0 && *verdict.baseline != 0) {
    text += fmt::format(" ({})", change_text(worse_of(metric, *verdict.current / *verdict.baseline - 1)));
  }
  return text;
}

std::string worse_interval_text(const MetricVerdict& verdict) {
  if (!verdict.interval) return "";
  const Interval bounds = worse_bounds(find_metric(verdict.metric), *verdict.interval);
  return fmt::format("{} to {}", change_text(bounds.lower), change_text(bounds.upper));
}

std::string values_text(const MetricVerdict& verdict) {
  const MetricCells cells = metric_cells(verdict);
  if (!verdict.baseline) return verdict.current ? cells.now : "";
  return verdict.current ? cells.baseline + " \xE2\x86\x92 " + cells.now : cells.baseline;
}

}  // namespace stepgate
