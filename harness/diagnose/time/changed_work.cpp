#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "core/units.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// A baseline keeps five significant digits of a rate and of a time: a smaller change of the work may be rounding.
constexpr double rounding = 1e-3;

/// Work of a step on both sides, in the unit of the rate without its second: samples, tokens, TFLOP.
struct WorkPair {
  double before = 0;
  double now = 0;
};

std::optional<WorkPair> work_of(const JudgedComparison& input, const MetricVerdict& rate, std::string_view time_name) {
  const MetricVerdict* time = verdict_on(input, time_name);
  if (time == nullptr || !rate.baseline || !rate.current || !time->baseline || !time->current) return std::nullopt;
  return WorkPair{*rate.baseline * *time->baseline / ns_per_s, *rate.current * *time->current / ns_per_s};
}

Finding fallen(const MetricVerdict& rate, const WorkPair& work) {
  const double change = work.now / work.before - 1;
  return {.code = FindingCode::less_work_per_step,
          .severity = Severity::cause,
          .message =
              fmt::format("{}: the work of a step changed by {} ({} -> {} a step), so the rate is lower than the "
                          "step time says",
                          label_of(rate.metric), change_text(change), figure_text(work.before), figure_text(work.now)),
          .advice =
              "look at the size of the batches, at what the loader drops, and at the samples, tokens and FLOPs "
              "that the workload declares for a batch.",
          .metric = rate.metric};
}

}  // namespace

std::vector<Finding> explain_changed_work(const JudgedComparison& input) {
  std::vector<Finding> findings;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    const Metric* row = find_metric(verdict.metric);
    const bool is_red_rate =
        row != nullptr && !row->shares_test_of.empty() && verdict.gating && verdict.status == Status::regressed;
    if (!is_red_rate) continue;
    const auto work = work_of(input, verdict, row->shares_test_of);
    if (work && work->before > 0 && work->now < work->before * (1 - rounding))
      findings.push_back(fallen(verdict, *work));
  }
  return findings;
}

}  // namespace stepgate
