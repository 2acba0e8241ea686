#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/precision/dtype_patterns.h"
#include "diagnose/questions.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

constexpr std::string_view casts = "casts_per_step";
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

/// "" where casts did not fall so far.
std::string fewer_casts(const JudgedComparison& input) {
  const MetricVerdict* verdict = verdict_on(input, casts);
  if (verdict == nullptr || !verdict->baseline || !verdict->current) return "";
  if (*verdict->baseline <= 0 || *verdict->current >= most_casts_left * *verdict->baseline) return "";
  return fmt::format("{} casts per step in place of {}", count_text(*verdict->current), count_text(*verdict->baseline));
}

}  // namespace

std::vector<Finding> explain_lost_low_precision(const JudgedComparison& input) {
  const char* metric = red_by_width(input);
  const std::string fewer = fewer_casts(input);
  if (metric == nullptr || fewer.empty() || !input.current.counts.observed) return {};
  const ObservedWork& work = *input.current.counts.observed;
  const ProductFlops flops = product_flops(work);
  const double share = flops.float32 <= 0 ? 0 : flops.float32 / (flops.low + flops.float32);
  if (share <= least_float32_flops) return {};
  const OperatorSite& site = work.sites[flops.site];
  return {
      {.code = FindingCode::low_precision_lost,
       .severity = Severity::cause,
       .message = fmt::format("{}: {}: {} of the FLOPs of products and convolutions are in float32, most of them in "
                              "{} of {}",
                              site.boundary, fewer, share_text(share), site.name, tensor_text(site.inputs.front())),
       .advice = "look at where the scope of autocast begins and ends: it must stay alive while the model and the "
                 "loss compute.",
       .metric = metric,
       .boundary = site.boundary,
       .sources = frames_of(work, flops.site)}};
}

}  // namespace stepgate
