#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "core/record/shape_metrics.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// The most shapes that fit on a line; sizes of several tensors are long.
constexpr std::size_t named_shapes = 3;

using CountsByMetric = std::map<std::string, std::vector<std::int64_t>>;
using CallsByMetric = std::map<std::string, std::map<std::string, std::map<std::string, std::int64_t>>>;

const std::vector<std::int64_t>* sequence_in(const CountsByMetric& counts, const char* metric) {
  const auto at = counts.find(metric);
  return at == counts.end() || at->second.empty() ? nullptr : &at->second;
}

/// Sizes of the batches that were cold -> counted steps.
std::map<std::string, std::int64_t> cold_sizes(const CallsByMetric& calls) {
  std::map<std::string, std::int64_t> sizes;
  const auto boundaries = calls.find(cold_shapes_after_warmup);
  if (boundaries == calls.end()) return sizes;
  for (const auto& [boundary, shapes] : boundaries->second) {
    for (const auto& [shape, steps] : shapes) sizes[shape] += steps;
  }
  return sizes;
}

/// ": int64[8, 67], int64[8, 67] and 2 more"; "" where no sizes are known.
std::string cold_sizes_text(const JudgedComparison& input, const Baseline& baseline) {
  const auto before = cold_sizes(baseline.device_calls);
  std::vector<std::string> sizes;
  for (const auto& [shape, steps] : cold_sizes(input.current.counts.device_calls)) sizes.push_back(shape);
  std::stable_partition(sizes.begin(), sizes.end(), [&](const std::string& shape) { return !before.contains(shape); });
  std::string text;
  for (std::size_t i = 0; i < std::min(sizes.size(), named_shapes); ++i)
    text += fmt::format("{}({})", i == 0 ? ": " : ", ", sizes[i]);
  if (sizes.size() > named_shapes) text += fmt::format(" and {} more", sizes.size() - named_shapes);
  return text;
}

std::string shapes_text(const JudgedComparison& input, const Baseline& baseline) {
  const auto* before = sequence_in(baseline.exact, shapes_seen);
  const auto* now = sequence_in(input.current.counts.per_step, shapes_seen);
  if (!is_red(input, shapes_seen) || before == nullptr || now == nullptr) return "";
  return fmt::format("the loader gives batches of {} shapes, was {}", now->back(), before->back());
}

std::string cold_text(const JudgedComparison& input, const Baseline& baseline) {
  const auto* before = sequence_in(baseline.exact, cold_shapes_after_warmup);
  const auto* now = sequence_in(input.current.counts.per_step, cold_shapes_after_warmup);
  if (!is_red(input, cold_shapes_after_warmup) || before == nullptr || now == nullptr) return "";
  const auto sum = [](const auto& steps) { return std::accumulate(steps.begin(), steps.end(), std::int64_t{0}); };
  return fmt::format("{} of {} counted steps have a shape that no earlier step had, was {}{}", sum(*now), now->size(),
                     sum(*before), cold_sizes_text(input, baseline));
}

}  // namespace

std::vector<Finding> explain_new_shapes(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr) return {};
  const std::string shapes = shapes_text(input, *baseline);
  const std::string cold = cold_text(input, *baseline);
  if (shapes.empty() && cold.empty()) return {};
  Finding finding{.code = FindingCode::new_shape,
                  .severity = Severity::cause,
                  .message = fmt::format("data_wait: {}{}{}", shapes, shapes.empty() || cold.empty() ? "" : "; ", cold),
                  .advice =
                      "each new shape costs autotuning and new memory on a GPU, and new kernels on a CPU: pad to "
                      "fewer lengths (round them up to a few buckets), or drop the last short batch.",
                  .metric = shapes.empty() ? cold_shapes_after_warmup : shapes_seen,
                  .boundary = "data_wait"};
  if (!shapes.empty() && !cold.empty()) finding.also = {cold_shapes_after_warmup};
  return {finding};
}

}  // namespace stepgate
