#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/text/number_format.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// How many operators the message names.
constexpr std::size_t most_named = 3;

/// Operators that allocate or copy come last: they do not say what a loader does.
std::string most_called(const std::map<std::string, std::int64_t>& operators, std::int64_t steps) {
  std::vector<std::pair<std::string, std::int64_t>> calls(operators.begin(), operators.end());
  std::stable_sort(calls.begin(), calls.end(), [](const auto& a, const auto& b) {
    return std::pair(is_plumbing(b.first), a.second) > std::pair(is_plumbing(a.first), b.second);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(calls.size(), most_named); ++i) {
    const double per_step =
        static_cast<double>(calls[i].second) / static_cast<double>(std::max<std::int64_t>(1, steps));
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", count_text(per_step), calls[i].first);
  }
  if (calls.size() > most_named) text += fmt::format(" (and {} more)", calls.size() - most_named);
  return text;
}

bool is_exact_half(std::string_view name) {
  const Metric* metric = find_metric(name);
  return metric != nullptr && metric->tier != Tier::timed;
}

/// The metrics of the exact half that are red or undecided.
std::vector<std::string> open_metrics(const JudgedComparison& input) {
  std::vector<std::string> names;
  for (const MetricVerdict& verdict : input.verdict.metrics) {
    const bool open = verdict.status == Status::regressed || verdict.status == Status::inconclusive;
    if (verdict.gating && open && is_exact_half(verdict.metric)) names.push_back(verdict.metric);
  }
  return names;
}

bool processes_differ(const CaseValues& values) {
  return std::any_of(values.exact.begin(), values.exact.end(), [](const auto& entry) {
    const auto& processes = entry.second;
    return std::adjacent_find(processes.begin(), processes.end(), std::not_equal_to<>()) != processes.end();
  });
}

}  // namespace

std::vector<Finding> explain_loader_workers(const JudgedComparison& input) {
  const WorkCounts& counts = input.current.counts;
  if (counts.worker_operators.empty()) return {};
  const std::vector<std::string> open = open_metrics(input);
  const Severity severity = !open.empty()                     ? Severity::cause
                            : processes_differ(input.current) ? Severity::warning
                                                              : Severity::note;
  return {
      {.code = FindingCode::workers_in_exact_passes,
       .severity = severity,
       .message = fmt::format(
           "threads beside the step's call operators while its work is counted: {} per step. If they prepare "
           "batches, the counts depend on how many batches are ready by then, which differs from run to run",
           most_called(counts.worker_operators, static_cast<std::int64_t>(counted_steps(counts.per_step)))),
       .advice =
           "where context.synchronous_loader is true, start no loader workers and prefetch nothing, so that the step's "
           "thread makes its own batch. Threads that each step waits for may stay.",
       .metric = "",
       .boundary = "",
       .also = open}};
}

}  // namespace stepgate
