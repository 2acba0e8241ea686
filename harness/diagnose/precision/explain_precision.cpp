#include "diagnose/precision/explain_precision.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/precision/dtype_patterns.h"
#include "diagnose/precision/scaler_order.h"
#include "diagnose/precision/skipped_updates.h"
#include "diagnose/questions.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

constexpr std::array precision_patterns = {
    PrecisionPattern{.code = FindingCode::clip_before_unscale,
                     .severity = Severity::warning,
                     .advice = "call scaler.unscale_(optimizer) before clipping: the limit of the norm is meant for "
                               "gradients that are not scaled.",
                     .find = find_clip_before_unscale},
    PrecisionPattern{.code = FindingCode::scale_not_updated,
                     .severity = Severity::warning,
                     .advice = "call scaler.update() once at the end of each step: without it the scale neither falls "
                               "after an overflow nor grows.",
                     .find = find_missing_scale_update},
    PrecisionPattern{.code = FindingCode::unscaled_twice,
                     .severity = Severity::warning,
                     .advice = "unscale once a step, after the last backward of an accumulation: a second time divides "
                               "the gradients by the scale again.",
                     .find = find_repeated_unscale},
    PrecisionPattern{.code = FindingCode::float16_reduction,
                     .severity = Severity::warning,
                     .advice = "sums in float16 overflow above 65504 and lose small terms: compute it in float32, as "
                               "autocast does on a GPU.",
                     .find = find_float16_reductions},
    PrecisionPattern{.code = FindingCode::float32_under_autocast,
                     .severity = Severity::note,
                     .advice = "call it within the scope of autocast, with operands that it casts; an operator that is "
                               "not in autocast's list needs .to() by hand.",
                     .find = find_float32_share},
    PrecisionPattern{.code = FindingCode::weights_cast_anew,
                     .severity = Severity::note,
                     .advice = "call at::linear(input, weight, bias) in place of torch::nn::Linear under autocast: the "
                               "module casts weight.t(), a view, which autocast's cache never keeps, so that a weight "
                               "that is used again is cast again.",
                     .find = find_recast_weights}};

Finding finding_of(const ObservedWork& work, const PrecisionPattern& pattern,
                   const std::vector<PatternMatch>& matches) {
  std::vector<SourceFrame> lines;
  for (const PatternMatch& match : matches) {
    const auto frames = frames_of(work, match.site);
    if (!frames.empty()) add_sources({frames.front()}, lines);
  }
  const std::string& boundary = work.sites[matches.front().site].boundary;
  const std::size_t more = matches.size() - 1;
  return {.code = pattern.code,
          .severity = pattern.severity,
          .message = fmt::format("{}: {}{}{}", boundary, matches.front().text, at_sources(lines),
                                 more == 0 ? "" : fmt::format(" ({} alike)", counted(more, "more place"))),
          .advice = std::string(pattern.advice),
          .metric = "",
          .boundary = boundary,
          .sources = lines};
}

}  // namespace

std::span<const PrecisionPattern> precision_table() { return precision_patterns; }

std::vector<Finding> explain_precision(const JudgedComparison& input) {
  std::vector<Finding> findings = explain_skipped_updates(input);
  if (!input.current.counts.observed) return findings;
  const ObservedWork& work = *input.current.counts.observed;
  for (const PrecisionPattern& pattern : precision_table()) {
    const auto matches = pattern.find(work);
    if (!matches.empty()) findings.push_back(finding_of(work, pattern, matches));
  }
  return findings;
}

}  // namespace stepgate
