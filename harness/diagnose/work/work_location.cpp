#include "diagnose/work/work_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/kernels/launch_name.h"
#include "core/record/shape_metrics.h"
#include "core/record/wait_metric.h"
#include "core/text/number_format.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "diagnose/recorded_nodes.h"
#include "diagnose/work/device_call_change.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/saved_bytes.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

/// "forward +3, backward +1 per step"
std::string list_of(const std::vector<BoundaryShare>& shares, MetricUnit unit,
                    const std::optional<StepSpread>& spread) {
  std::string text;
  const WholeAmounts amounts = amounts_of(shares, unit, spread);
  for (const BoundaryShare& share : shares) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", share.boundary,
                        difference_text(unit, amounts.factor * share.change));
  }
  return text + amounts.per;
}

/// "forward +1 cudaDeviceSynchronize per step"; as list_of() where the calls behind a share are not known.
std::string list_of_calls(const JudgedComparison& input, const std::string& metric,
                          const std::vector<BoundaryShare>& shares, const std::optional<StepSpread>& spread) {
  const WholeAmounts amounts = amounts_of(shares, MetricUnit::count, spread);
  std::string text;
  for (const BoundaryShare& share : shares) {
    const std::string calls = device_calls_text(device_call_changes(input, metric, share.boundary), amounts.factor);
    if (calls.empty()) return list_of(shares, MetricUnit::count, spread);
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", share.boundary, calls);
  }
  return text + amounts.per;
}

/// Values with a margin differ a little in every boundary: those that moved by a tenth of the largest move are named.
std::vector<BoundaryShare> above_jitter(const Metric& metric, std::vector<BoundaryShare> shares) {
  if (metric.margin == 0 || shares.empty()) return shares;
  const double least = std::abs(shares.front().change) / 10;
  std::erase_if(shares, [&](const BoundaryShare& share) { return std::abs(share.change) < least; });
  return shares;
}

/// The operators behind a metric. Behind the others (allocations, kernels, autograd nodes) any operator may be.
struct OperatorsOfMetric {
  std::string_view metric;
  std::string_view name;
};
constexpr std::array<OperatorsOfMetric, 10> operators_of_metrics = {
    OperatorsOfMetric{"host_syncs_per_step", "aten::_local_scalar_dense"},
    OperatorsOfMetric{"device_syncs_per_step", "aten::_local_scalar_dense"},
    OperatorsOfMetric{"d2h_copies_per_step", "aten::_local_scalar_dense"},
    OperatorsOfMetric{"d2h_copies_per_step", "aten::copy_"},
    OperatorsOfMetric{"casts_per_step", "aten::copy_"},
    OperatorsOfMetric{"cast_bytes_per_step", "aten::copy_"},
    OperatorsOfMetric{"copy_bytes_per_step", "aten::copy_"},
    OperatorsOfMetric{"h2d_copies_per_step", "aten::copy_"},
    OperatorsOfMetric{"h2d_bytes_per_step", "aten::copy_"},
    OperatorsOfMetric{"memcpys_per_step", "aten::copy_"}};

bool has_own_operators(std::string_view metric) {
  return std::any_of(operators_of_metrics.begin(), operators_of_metrics.end(),
                     [&](const OperatorsOfMetric& one) { return one.metric == metric; });
}

bool is_of_launches(std::string_view metric) { return metric == own_kernels_metric || metric == library_calls_metric; }

/// Lines of the operators that launch more.
void add_lines_of_launches(const JudgedComparison& input, std::string_view metric, const std::string& boundary,
                           std::vector<SourceFrame>& sources) {
  for (const DeviceCallChange& change : device_call_changes(input, std::string(metric), boundary)) {
    if (change.change <= 0 || sources.size() == most_sources) return;
    add_sources(sources_of(input, boundary, operator_of_launch(change.call)), sources);
  }
}

/// Lines of the operators that the boundary calls more often; of the metric's own operators where none of them is.
void add_lines(const JudgedComparison& input, std::string_view metric, const std::string& boundary,
               std::vector<SourceFrame>& sources) {
  for (const OperatorsOfMetric& one : operators_of_metrics) {
    if (one.metric == metric) add_sources(sources_of(input, boundary, one.name), sources);
  }
  if (has_own_operators(metric)) return;
  if (is_of_launches(metric)) return add_lines_of_launches(input, metric, boundary, sources);
  auto changes = operator_difference(input);
  // What uses a view tells more than the view.
  std::stable_partition(changes.begin(), changes.end(), [](const OperatorChange& change) {
    return !is_view(change.name) && !is_plumbing(change.name);
  });
  for (const OperatorChange& change : changes) {
    if (sources.size() == most_sources) return;  // each call looks through all stacks
    if (change.boundary == boundary && change.difference() > 0)
      add_sources(sources_of(input, boundary, change.name), sources);
  }
}

std::vector<SourceFrame> sources_of_metric(const JudgedComparison& input, std::string_view metric,
                                           const std::vector<BoundaryShare>& shares) {
  std::vector<SourceFrame> sources;
  for (const BoundaryShare& share : shares) {
    if (share.change > 0) add_lines(input, metric, share.boundary, sources);
  }
  return sources;
}

/// Autograd nodes can rise without an operator, so the sentence says who makes them.
std::string_view what_moved(const Metric& metric, bool red) {
  return red && metric.name == "autograd_nodes_per_step" ? "autograd records more nodes" : metric.label;
}

/// Whether the casts that are new have dtypes, and none of these has 16 bits: then autocast has no part in them.
bool casts_are_beside_autocast(const JudgedComparison& input, const std::vector<BoundaryShare>& shares) {
  bool known = false;
  for (const BoundaryShare& share : shares) {
    for (const DeviceCallChange& cast : device_call_changes(input, "casts_per_step", share.boundary)) {
      if (cast.change <= 0) continue;
      if (cast.call.find("float16") != std::string::npos) return false;
      known = true;
    }
  }
  return known;
}

/// The catalogue's advice, as far as it is true of this change: an evaluation without NoGradGuard has no backward.
std::string advice_on(const JudgedComparison& input, const Metric& metric, const std::vector<BoundaryShare>& shares) {
  const auto nodes = metric.name == "autograd_nodes_per_step" ? more_recorded_nodes(input) : std::nullopt;
  if (nodes && nodes->run)
    return "backward runs more, so gradients are computed that were not before: look for requires_grad_() of a layer "
           "that was frozen, and for a detach() or a NoGradGuard that is gone.";
  if (metric.name == "casts_per_step" && casts_are_beside_autocast(input, shares))
    return "tensors change their dtype more often: cast once, where the value is made.";
  return std::string(metric.advice);
}

}  // namespace

WholeAmounts amounts_of(const std::vector<BoundaryShare>& shares, MetricUnit unit,
                        const std::optional<StepSpread>& spread) {
  if (unit != MetricUnit::count) return {};  // bytes are said in units that round anyway
  std::vector<double> means;
  for (const BoundaryShare& share : shares) means.push_back(share.change);
  return whole_amounts(means, spread);
}

std::vector<Finding> explain_work_location(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  std::vector<Finding> findings;
  if (baseline == nullptr) return findings;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    const Metric* metric = find_metric(verdict.metric);
    const bool moved = verdict.status == Status::regressed || verdict.status == Status::improved;
    if (!moved || metric == nullptr) continue;
    // Operators are named one by one by explain_operators; their bare number adds nothing to that.
    const bool operators_named = !baseline->operators.empty() && !input.current.counts.operators.empty();
    if (verdict.metric == "operators_per_step" && operators_named) continue;
    if (verdict.metric == saved_bytes_per_step) continue;  // explain_saved_bytes names who saves
    const auto shares = above_jitter(*metric, changed_shares(input, verdict.metric));
    if (shares.empty()) continue;
    const auto spread = step_spread(input, verdict.metric);
    const bool red = verdict.status == Status::regressed;
    if (red && verdict.metric == cold_shapes_after_warmup) continue;  // explain_new_shapes names the shapes
    if (red && verdict.metric == would_sync_per_step) continue;       // explain_added_waits names what to use instead
    findings.push_back(
        {.code = red ? FindingCode::work_added : FindingCode::work_removed,
         .severity = red ? Severity::cause : Severity::note,
         .message = fmt::format("{}: {}{}", what_moved(*metric, red),
                                metric->unit == MetricUnit::count ? list_of_calls(input, verdict.metric, shares, spread)
                                                                  : list_of(shares, metric->unit, spread),
                                affected_steps(spread)),
         .advice = red ? advice_on(input, *metric, shares) : "",
         .metric = verdict.metric,
         .boundary = shares.size() == 1 ? shares.front().boundary : "",
         .sources = red ? sources_of_metric(input, verdict.metric, shares) : std::vector<SourceFrame>{}});
  }
  return findings;
}

}  // namespace stepgate
