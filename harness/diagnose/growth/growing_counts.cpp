#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/boundary.h"
#include "core/record/fact_kind.h"
#include "core/record/shape_metrics.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/growth/growing_instructions.h"
#include "diagnose/growth/growing_series.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_difference.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

/// A metric of tier exact that grows with the steps in every process.
struct GrowingCount {
  const Metric* metric;
  StepSeries values;  ///< of the first process; where `beyond_baseline`, what it has more in each step
  bool beyond_baseline = false;
};

/// What is only shown differs from machine to machine; a total of the steps so far rises by itself.
bool tells_of_work(const Metric& metric) {
  return metric.tier == Tier::exact && metric.direction != Direction::neither &&
         metric.reference != Reference::nothing && metric.name != shapes_seen;
}

std::vector<StepSeries> sequences_of(const CaseValues& values, const std::string& metric) {
  if (const auto all = values.exact.find(metric); all != values.exact.end()) return all->second;
  const auto first = values.counts.per_step.find(metric);
  return first == values.counts.per_step.end() ? std::vector<StepSeries>{} : std::vector<StepSeries>{first->second};
}

StepSeries more_than(StepSeries values, const StepSeries& before) {
  for (std::size_t step = 0; step < values.size(); ++step) values[step] -= before[step];
  return values;
}

bool rises_in_each(const std::vector<StepSeries>& processes) {
  return !processes.empty() && std::all_of(processes.begin(), processes.end(), rises_with_steps);
}

/// nullptr where there is nothing to compare with.
const StepSeries* stored_values(const JudgedComparison& input, const std::string& metric) {
  const Baseline* baseline = incompatible(input.exact_mismatches) ? nullptr : work_baseline(input);
  if (baseline == nullptr) return nullptr;
  const auto found = baseline->exact.find(metric);
  return found == baseline->exact.end() ? nullptr : &found->second;
}

std::optional<GrowingCount> growing_count(const JudgedComparison& input, const Metric& metric) {
  const std::string name(metric.name);
  std::vector<StepSeries> processes = sequences_of(input.current, name);
  if (processes.empty()) return std::nullopt;
  const StepSeries* before = stored_values(input, name);
  if (before == nullptr || before->size() != processes.front().size()) {
    // Without a base, what describes the input may grow with it.
    if (metric.of_data || !rises_in_each(processes) || !has_equal_batches(input.current)) return std::nullopt;
    return GrowingCount{&metric, processes.front()};
  }
  for (StepSeries& process : processes) {
    if (process.size() != before->size()) return std::nullopt;
    process = more_than(std::move(process), *before);
  }
  if (!rises_in_each(processes) || processes.front().back() <= 0) return std::nullopt;
  return GrowingCount{&metric, processes.front(), true};
}

std::string per_step_text(const GrowingCount& count) {
  return difference_text(count.metric->unit, rise_per_step(count.values));
}

/// What the boundary that grows calls more often.
struct GrowingOperators {
  std::string boundary;
  std::string text;
  std::vector<SourceFrame> sources;
};

/// What the loader calls more often than before: its bytes may grow while its calls do not.
GrowingOperators loader_operators(const JudgedComparison& input, const GrowingCount& count) {
  const auto steps = static_cast<double>(count.values.size());
  const std::string loader(name_of(Boundary::data_wait));
  for (const OperatorChange& change : operator_difference(input)) {
    if (change.boundary != loader || change.difference() <= 0) continue;
    const std::string calls = difference_text(MetricUnit::count, std::round(change.difference() * steps));
    return {.boundary = loader,
            .text = fmt::format("; in {} {} {} in {} steps", loader, calls, change.name, count.values.size()),
            .sources = sources_of(input, loader, change.name)};
  }
  return {.boundary = loader, .text = "", .sources = {}};
}

/// Of the first boundary that calls operators more often; backward runs what forward recorded, so it comes last. Empty
/// where the step calls more operators for another reason too: then the count starts above what the steps before the
/// first counted one could have added, which are few.
GrowingOperators growing_operators(const JudgedComparison& input, const GrowingCount& count) {
  const auto steps = static_cast<double>(count.values.size());
  const bool only_grows = static_cast<double>(count.values.front()) <= rise_per_step(count.values) * steps;
  if (count.metric->of_data && count.beyond_baseline) return loader_operators(input, count);
  if (count.metric->name != "operators_per_step" || !count.beyond_baseline || !only_grows) return {};
  GrowingOperators found;
  for (const OperatorChange& change : operator_difference(input)) {
    const bool is_backward = change.boundary == name_of(Boundary::backward);
    if (change.difference() <= 0 || change.boundary == name_of(Boundary::data_wait)) continue;
    if (!found.boundary.empty() && (is_backward || found.boundary != name_of(Boundary::backward))) continue;
    const std::string calls = difference_text(MetricUnit::count, std::round(change.difference() * steps));
    found = {.boundary = change.boundary,
             .text = fmt::format("; in {} {} {} in {} steps", change.boundary, calls, change.name, count.values.size()),
             .sources = sources_of(input, change.boundary, change.name)};
  }
  return found;
}

/// The first count leads; the others grow by the same fault.
Finding growing_finding(const JudgedComparison& input, const std::vector<GrowingCount>& counts) {
  const GrowingCount& first = counts.front();
  const GrowingOperators operators = growing_operators(input, first);
  const bool is_cause = std::any_of(counts.begin(), counts.end(), [&](const GrowingCount& count) {
    return count.beyond_baseline && is_red(input, std::string(count.metric->name));
  });
  Finding finding{.code = FindingCode::grows_with_steps,
                  .severity = is_cause ? Severity::cause : Severity::note,
                  .message = "",
                  .advice =
                      "look for what each step registers, appends or wraps anew: a hook, a callback, a list that "
                      "is walked, a graph that is extended. It belongs before the loop.",
                  .metric = std::string(first.metric->name),
                  .boundary = operators.boundary,
                  .sources = operators.sources};
  std::string others;
  for (const GrowingCount& count : counts) {
    const std::string name(count.metric->name);
    if (&count == &first) continue;
    finding.also.push_back(name);
    others += fmt::format("{}{} {}", others.empty() ? "; likewise " : ", ", label_of(name), per_step_text(count));
  }
  const auto value = [&](double amount) { return quantity_text(first.metric->unit, amount); };
  finding.message =
      fmt::format("grows with the number of the step: {} {}{} in the counted steps, {} with each{}{}",
                  first.metric->label, series_text(first.values, value),
                  first.beyond_baseline ? " more than before" : "", per_step_text(first), operators.text, others);
  return finding;
}

constexpr const char* host_instructions = "host_instructions_per_step";

/// Counts that grow make the host run more, so they lead; alone, nothing but plain C++ code grows.
void add_instructions(const StepSeries& steps, std::vector<Finding>& findings) {
  const Metric& metric = *find_metric(host_instructions);
  const std::string each = difference_text(metric.unit, std::round(rise_per_step(steps)));
  if (!findings.empty()) {
    findings.front().message += fmt::format("; {} too, {}", metric.label, each);
    return;
  }
  const auto value = [&](double amount) { return quantity_text(metric.unit, amount); };
  findings.push_back({.code = FindingCode::grows_with_steps,
                      .severity = Severity::note,
                      .message = fmt::format("grows with the number of the step: {} {} in the counted steps, {} with "
                                             "each in the mean, and no count of operators or bytes does",
                                             metric.label, series_text(steps, value), each),
                      .advice = "plain C++ code that runs longer with each step: look for a list, a log or a text that "
                                "each step adds to and walks through.",
                      .metric = host_instructions});
}

}  // namespace

std::vector<Finding> explain_growing_counts(const JudgedComparison& input) {
  if (batches_explain_a_rise(input)) return {};
  std::vector<GrowingCount> beyond;
  std::vector<GrowingCount> alone;
  for (const Metric& metric : metric_catalogue()) {
    if (!tells_of_work(metric)) continue;
    if (auto count = growing_count(input, metric))
      (count->beyond_baseline ? beyond : alone).push_back(std::move(*count));
  }
  std::vector<Finding> findings;
  if (!beyond.empty()) findings.push_back(growing_finding(input, beyond));
  if (!alone.empty()) findings.push_back(growing_finding(input, alone));
  if (const auto steps = growing_instructions(input)) add_instructions(*steps, findings);
  return findings;
}

}  // namespace stepgate
