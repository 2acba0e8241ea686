#include "report/gate/metric_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

constexpr std::string_view nothing = "-";

MetricUnit unit_of(const Metric* metric) { return metric == nullptr ? MetricUnit::none : metric->unit; }

bool counts_whole_things(const Metric* metric) {
  return metric != nullptr && (metric->tier == Tier::exact || metric->tier == Tier::bytes);
}

bool has_absolute_change(const MetricVerdict& verdict, const Metric* metric) {
  return verdict.baseline && verdict.current && counts_whole_things(metric);
}

std::string change_cell(const MetricVerdict& verdict, const Metric* metric) {
  if (has_absolute_change(verdict, metric)) {
    return difference_text(metric->unit, *verdict.current - *verdict.baseline);
  }
  return verdict.change ? change_text(*verdict.change) : std::string(nothing);
}

std::string relative_cell(const MetricVerdict& verdict, const Metric* metric) {
  if (!has_absolute_change(verdict, metric) || *verdict.baseline == 0 || verdict.baseline == verdict.current) return "";
  return fmt::format("({})", change_text(*verdict.current / *verdict.baseline - 1));
}

std::string interval_cell(const MetricVerdict& verdict) {
  return verdict.interval ? interval_text(verdict.interval->lower, verdict.interval->upper) : "";
}

const MetricVerdict* verdict_on(const CaseVerdict& verdict, std::string_view metric) {
  for (const MetricVerdict& candidate : verdict.metrics) {
    if (candidate.metric == metric && candidate.current) return &candidate;
  }
  return nullptr;
}

std::string with_change(std::string text, const MetricVerdict& verdict) {
  if (!verdict.baseline || *verdict.baseline == 0) return text;
  return fmt::format("{} ({})", text, change_text(*verdict.current / *verdict.baseline - 1));
}

/// "71 700" of "71 700 tokens/s".
std::string without_unit(double value) {
  const std::string text = quantity_text(MetricUnit::tokens_per_s, value);
  return text.substr(0, text.rfind(' '));
}

/// "12 exact, 3 bytes" for counts by tier.
std::string tier_list(const std::array<int, 4>& counts) {
  std::string text;
  for (std::size_t tier = 0; tier < counts.size(); ++tier) {
    if (counts[tier] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[tier], name_of(static_cast<Tier>(tier)));
  }
  return text;
}

/// "2 new, 1 varying, 1 by ab only, 1 limit"
std::string not_judged_list(const CaseVerdict& verdict) {
  std::string text;
  for (const auto& [reason, word] :
       {std::pair(ReasonCode::new_metric, "new"), std::pair(ReasonCode::varying, "varying"),
        std::pair(ReasonCode::not_stored, "by ab only"), std::pair(ReasonCode::too_noisy, "too noisy"),
        std::pair(ReasonCode::limit_not_judged, "limit"),
        std::pair(ReasonCode::library_shapes_differ, "other library shapes")}) {
    const auto count = std::count_if(verdict.metrics.begin(), verdict.metrics.end(), [&](const MetricVerdict& metric) {
      return metric.gating && metric.status == Status::not_judged && metric.reason == reason;
    });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  }
  return text;
}

/// "latency 1.21 ms in the mean (+4.3 %), P50 1.1 ms, P99 3.41 ms, longest 9.02 ms"; "" where none was measured.
std::string latency_part(const CaseVerdict& verdict, const std::string& name, const std::string& prefix) {
  const auto* mean = verdict_on(verdict, prefix + "mean_ns");
  if (mean == nullptr) return "";
  std::string text = with_change(fmt::format("{} {} in the mean", name, duration_text(*mean->current)), *mean);
  for (const auto& [metric, word] :
       {std::pair("p50_ns", "P50"), std::pair("p90_ns", "P90"), std::pair("p95_ns", "P95"), std::pair("p99_ns", "P99"),
        std::pair("p99_9_ns", "P99.9"), std::pair("max_ns", "longest")}) {
    if (const auto* each = verdict_on(verdict, prefix + metric))
      text += fmt::format(", {} {}", word, duration_text(*each->current));
  }
  return text;
}

/// Latencies, requests and times of tokens of a case that infers.
std::vector<std::string> request_parts(const CaseVerdict& verdict) {
  std::vector<std::string> parts = {latency_part(verdict, "latency", "latency_"),
                                    latency_part(verdict, "at the given rate", "open_latency_")};
  if (const auto* requests = verdict_on(verdict, "requests_per_s"))
    parts.push_back(with_change(quantity_text(MetricUnit::requests_per_s, *requests->current), *requests));
  if (const auto* first = verdict_on(verdict, "first_token_ns"))
    parts.push_back("first token " + duration_text(*first->current));
  if (const auto* next = verdict_on(verdict, "next_token_ns"))
    parts.push_back("further tokens " + duration_text(*next->current) + " each");
  std::erase(parts, "");
  return parts;
}

}  // namespace

MetricCells metric_cells(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  const MetricUnit unit = unit_of(metric);
  const auto value = [&](const std::optional<double>& number) {
    return number ? quantity_text(unit, *number) : std::string(nothing);
  };
  MetricCells cells{.metric = label_of(verdict.metric),
                    .baseline = value(verdict.baseline),
                    .now = value(verdict.current),
                    .change = change_cell(verdict, metric),
                    .relative = relative_cell(verdict, metric),
                    .interval = interval_cell(verdict),
                    .limit = verdict.limit,
                    .verdict = verdict_text(verdict)};
  if (verdict.baseline && verdict.current && counts_whole_things(metric)) {
    TwoQuantities texts = two_quantities(unit, *verdict.baseline, *verdict.current);
    cells.baseline = std::move(texts.first);
    cells.now = std::move(texts.second);
  }
  return cells;
}

std::string status_text(Status status) {
  switch (status) {
    case Status::failed:
      return "FAILED";
    case Status::regressed:
      return "REGRESSED";
    case Status::no_baseline:
      return "no baseline";
    case Status::not_judged:
      return "not judged";
    default:
      return std::string(name_of(status));
  }
}

std::string verdict_text(const MetricVerdict& verdict) {
  if (verdict.reason == ReasonCode::waived) return "waived";
  std::string text = status_text(verdict.status);
  if (verdict.status == Status::not_judged && verdict.reason == ReasonCode::new_metric) text += ": new";
  if (verdict.status == Status::not_judged && verdict.reason == ReasonCode::varying) text += ": varying";
  if (verdict.status == Status::not_judged && verdict.reason == ReasonCode::too_noisy) text += ": too noisy here";
  if (verdict.status == Status::not_judged && verdict.reason == ReasonCode::limit_not_judged) text += ": limit";
  if (verdict.status == Status::not_judged && verdict.reason == ReasonCode::library_shapes_differ)
    text += ": other library shapes";
  return text;
}

bool was_asked_for(const MetricVerdict& verdict) { return verdict.metric == "final_loss"; }

std::string passing_summary(const CaseVerdict& verdict) {
  std::array<int, 4> unchanged{};
  std::array<int, 4> within{};
  for (const MetricVerdict& metric : verdict.metrics) {
    const Metric* known = find_metric(metric.metric);
    if (!metric.gating || metric.status != Status::pass || known == nullptr || was_asked_for(metric)) continue;
    const bool equal = metric.baseline && metric.baseline == metric.current && counts_whole_things(known);
    ++(equal ? unchanged : within)[static_cast<std::size_t>(known->tier)];
  }
  const std::string same = tier_list(unchanged);
  const std::string close = tier_list(within);
  std::string text;
  if (!same.empty()) text = "unchanged: " + same;
  if (!close.empty()) text += (text.empty() ? "within limits: " : "; within limits: ") + close;
  const auto waived = std::count_if(verdict.metrics.begin(), verdict.metrics.end(),
                                    [](const MetricVerdict& metric) { return metric.reason == ReasonCode::waived; });
  if (waived > 0) text += fmt::format("{}waived: {}", text.empty() ? "" : "; ", waived);
  const std::string open = not_judged_list(verdict);
  if (!open.empty()) text += (text.empty() ? "not judged: " : "; not judged: ") + open;
  return text;
}

std::string throughput_summary(const CaseVerdict& verdict) {
  std::vector<std::string> parts = request_parts(verdict);
  if (const auto* step = verdict_on(verdict, "step_time_ns")) parts.push_back("step " + duration_text(*step->current));
  if (const auto* samples = verdict_on(verdict, "samples_per_s")) {
    parts.push_back(with_change(quantity_text(MetricUnit::samples_per_s, *samples->current), *samples));
  }
  if (const auto* steps = verdict_on(verdict, "steps_per_s"))
    parts.push_back(quantity_text(MetricUnit::steps_per_s, *steps->current));
  const auto* effective = verdict_on(verdict, "effective_tokens_per_s");
  const auto* all = verdict_on(verdict, "padded_tokens_per_s");
  if (effective != nullptr && all != nullptr) {
    parts.push_back(fmt::format("{} effective of {} padded tokens/s", without_unit(*effective->current),
                                without_unit(*all->current)));
  } else if (effective != nullptr || all != nullptr) {
    const MetricVerdict& tokens = effective != nullptr ? *effective : *all;
    parts.push_back(with_change(quantity_text(MetricUnit::tokens_per_s, *tokens.current), tokens));
  }
  if (const auto* padding = verdict_on(verdict, "padding_ratio")) {
    parts.push_back("padding ratio " + quantity_text(MetricUnit::ratio, *padding->current));
  }
  if (const auto* flops = verdict_on(verdict, "tflop_per_s"))
    parts.push_back(quantity_text(MetricUnit::tflop_per_s, *flops->current));
  if (const auto* mfu = verdict_on(verdict, "mfu_ratio")) parts.push_back(share_text(*mfu->current) + " MFU");
  for (const auto& [metric, whose] :
       {std::pair("gpu_energy_per_sample_j", "GPU"), std::pair("package_energy_per_sample_j", "CPU packages")}) {
    if (const auto* energy = verdict_on(verdict, metric))
      parts.push_back(fmt::format("{} a sample ({})", quantity_text(MetricUnit::joule, *energy->current), whose));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace stepgate
