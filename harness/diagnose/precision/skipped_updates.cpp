#include "diagnose/precision/skipped_updates.h"

#include <fmt/format.h>

#include <numeric>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

constexpr const char* skips_metric = "amp_skips_per_step";

std::int64_t total(const std::map<std::string, std::vector<std::int64_t>>& counts) {
  const auto steps = counts.find(skips_metric);
  return steps == counts.end() ? 0 : std::accumulate(steps->second.begin(), steps->second.end(), std::int64_t{0});
}

Finding more_skips(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  const auto& counts = input.current.counts.per_step;
  const auto at = counts.find(skips_metric);
  return {.code = FindingCode::amp_skips,
          .severity = Severity::cause,
          .message = fmt::format("optimizer: {} in {}, was {}: gradients overflowed, and the loss scaler left out the "
                                 "update; such a step is shorter, so that an overflow looks like a speed-up",
                                 counted(total(counts), "skipped update"),
                                 counted(at == counts.end() ? 0 : std::ssize(at->second), "counted step"),
                                 baseline == nullptr ? 0 : total(baseline->exact)),
          .advice =
              "look for a scale that starts too high or is never updated, and for values of forward that left the "
              "range of float16 (65504).",
          .metric = skips_metric,
          .boundary = "optimizer"};
}

}  // namespace

std::vector<Finding> explain_skipped_updates(const JudgedComparison& input) {
  std::vector<Finding> findings;
  if (is_red(input, skips_metric) && total(input.current.counts.per_step) > 0) findings.push_back(more_skips(input));
  if (input.current.skipped_steps > 0) {
    findings.push_back(
        {FindingCode::skipped_update, Severity::warning,
         fmt::format("optimizer: {} of {} timed steps lie in windows in which the loss scaler skipped an "
                     "update; they are tagged and left out of the times",
                     input.current.skipped_steps, input.current.e2e_steps),
         "a skipped update makes a step shorter: start with a scale that does not overflow, or let warm-up "
         "reach it (warmup_cap).",
         ""});
  }
  return findings;
}

}  // namespace stepgate
