#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/text/number_format.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/precision/dtype_patterns.h"
#include "diagnose/questions.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

constexpr const char* casts = "casts_per_step";
/// Below it the step computes mostly as before.
constexpr double most_casts_left = 0.5;
constexpr double least_float32_flops = 0.5;

/// The first red figure that wider tensors change, in the order in which they say most. nullptr: none.
const char* red_by_width(const JudgedComparison& input) {
  constexpr std::array metrics = {"saved_bytes_per_step",
                                  "bytes_touched_per_step",
                                  "peak_allocated_bytes",
                                  "allocated_bytes_per_step",
                                  "loss",
                                  "grad_norm"};
  const auto red = std::find_if(metrics.begin(), metrics.end(), [&](const char* name) { return is_red(input, name); });
  return red == metrics.end() ? nullptr : *red;
}

using CastsByBoundary = std::map<std::string, std::map<std::string, std::int64_t>>;

/// Casts to or from a 16-bit dtype per step; absent where the dtypes of casts are not known.
std::optional<double> low_casts(const std::map<std::string, CastsByBoundary>& named, std::size_t steps) {
  const auto at = named.find(casts);
  if (at == named.end() || steps == 0) return std::nullopt;
  std::int64_t calls = 0;
  for (const auto& [boundary, by_dtypes] : at->second) {
    for (const auto& [text, number] : by_dtypes) calls += text.find("float16") != std::string::npos ? number : 0;
  }
  return static_cast<double>(calls) / static_cast<double>(steps);
}

/// Casts per step before and now, and which.
struct Casts {
  double before = 0;
  double now = 0;
  std::string_view which = "";
};

/// Those of 16-bit dtypes, where the baseline knows dtypes. Else all casts, if one vanished for each product at least:
/// without its scope, autocast casts no weight. A float32 model may lose a cast of a mask.
std::optional<Casts> fewer_casts(const JudgedComparison& input, const ProductFlops& flops) {
  const MetricVerdict* verdict = verdict_on(input, casts);
  const Baseline* baseline = work_baseline(input);
  if (verdict == nullptr || baseline == nullptr || !verdict->baseline || !verdict->current) return std::nullopt;
  Casts found{*verdict->baseline, *verdict->current};
  if (const auto low = low_casts(baseline->device_calls, counted_steps(baseline->exact))) {
    const auto& counts = input.current.counts;
    found = {*low, low_casts(counts.device_calls, counted_steps(counts.per_step)).value_or(0), " of 16-bit dtypes"};
  } else if (found.before - found.now < flops.own_calls) {
    return std::nullopt;
  }
  return found.before > 0 && found.now < most_casts_left * found.before ? std::optional(found) : std::nullopt;
}

/// The line that calls the operator: those above it only lead there.
std::vector<SourceFrame> innermost_of(std::vector<SourceFrame> frames) {
  if (frames.size() > 1) frames.resize(1);
  return frames;
}

}  // namespace

std::vector<Finding> explain_lost_low_precision(const JudgedComparison& input) {
  const char* metric = red_by_width(input);
  if (metric == nullptr || !input.current.counts.observed) return {};
  const ObservedWork& work = *input.current.counts.observed;
  const ProductFlops flops = product_flops(work);
  const auto fewer = fewer_casts(input, flops);
  if (!fewer) return {};
  const double share = flops.float32 <= 0 ? 0 : flops.float32 / (flops.low + flops.float32);
  if (share <= least_float32_flops) return {};
  const OperatorSite& site = work.sites[flops.site];
  return {{.code = FindingCode::low_precision_lost,
           .severity = Severity::cause,
           .message = fmt::format(
               "{}: {} casts{} per step in place of {}: {} of the FLOPs of products and convolutions are in "
               "float32, most of them in {} of {}",
               site.boundary, count_text(fewer->now), fewer->which, count_text(fewer->before), share_text(share),
               site.name, tensor_text(site.inputs.front())),
           .advice = "look at where the scope of autocast begins and ends: it must stay alive while the model and the "
                     "loss compute.",
           .metric = metric,
           .boundary = site.boundary,
           .sources = innermost_of(frames_of(work, flops.site))}};
}

}  // namespace stepgate
