#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "core/leading_time.h"
#include "core/metric.h"
#include "core/text/number_format.h"
#include "core/units.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// A baseline keeps five significant digits of a rate and of a time: a smaller change of the work may be rounding.
constexpr double rounding = 1e-3;

/// Work of a step or request on both sides, in the unit of the rate without its second: samples, tokens, TFLOP.
struct WorkPair {
  std::string time;  ///< of the step or request
  double before = 0;
  double now = 0;
};

std::optional<WorkPair> work_of(const JudgedComparison& input, const MetricVerdict& rate,
                                const std::string& time_name) {
  const MetricVerdict* time = verdict_on(input, time_name);
  if (time == nullptr || !rate.baseline || !rate.current || !time->baseline || !time->current) return std::nullopt;
  return WorkPair{time_name, *rate.baseline * *time->baseline / ns_per_s, *rate.current * *time->current / ns_per_s};
}

Finding fallen(const MetricVerdict& rate, const WorkPair& work) {
  const bool is_request = is_latency(work.time);
  const std::string_view whole = is_request ? "request" : "step";
  const double change = work.now / work.before - 1;
  return {.code = FindingCode::less_work_per_step,
          .severity = Severity::cause,
          .message =
              fmt::format("{}: the work of a {} changed by {} ({} -> {} a {}), so the rate is lower than the {} says",
                          label_of(rate.metric), whole, change_text(change), figure_text(work.before),
                          figure_text(work.now), whole, is_request ? "mean latency" : "step time"),
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
    const auto work = work_of(input, verdict, shared_time(row->shares_test_of, input.current.timed));
    if (work && work->before > 0 && work->now < work->before * (1 - rounding))
      findings.push_back(fallen(verdict, *work));
  }
  return findings;
}

}  // namespace stepgate
