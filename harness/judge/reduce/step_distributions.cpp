#include "judge/reduce/step_distributions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "core/record/clean_records.h"
#include "judge/reduce/find_pass.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

using TimedRecords = std::vector<const RunRecord*>;
using Values = std::vector<double>;

StepDistribution distribution_of(const Values& values) {
  StepDistribution found;
  found.n = std::ssize(values);
  found.mean_ns = mean(values);
  found.median_ns = median(values);
  if (found.n > 1) found.sd_ns = std::sqrt(sample_variance(values));
  if (found.n >= least_for_p95) found.p95_ns = quantile(values, 0.95);
  if (found.n >= least_for_p99) found.p99_ns = quantile(values, 0.99);
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  found.min_ns = *lowest;
  found.max_ns = *highest;
  return found;
}

/// A row: its names, and the values that one process gives.
struct Row {
  std::string what;
  DistributionUnit unit;
  std::function<Values(const RunRecord&)> values;
};

void add_row(const Row& row, const TimedRecords& records, std::vector<StepDistribution>& rows) {
  Values all;
  std::int64_t processes = 0;
  for (const RunRecord* record : records) {
    const Values values = row.values(*record);
    processes += values.empty() ? 0 : 1;
    all.insert(all.end(), values.begin(), values.end());
  }
  // A boundary at which nothing happens gets no row.
  if (all.empty() || *std::max_element(all.begin(), all.end()) <= 0) return;
  StepDistribution found = distribution_of(all);
  found.what = row.what;
  found.unit = row.unit;
  found.processes = processes;
  rows.push_back(std::move(found));
}

/// A time of each step of a pass.
Row of_steps(const std::string& what, Pass pass, std::function<std::int64_t(const StepSample&)> time) {
  return {what, DistributionUnit::step, [pass, time = std::move(time)](const RunRecord& record) {
            Values values;
            const TimedPass* found = find_pass(record, pass);
            if (found == nullptr) return values;
            for (const StepSample& step : found->steps) {
              if (!step.left_out()) values.push_back(static_cast<double>(time(step)));
            }
            return values;
          }};
}

/// A row for a pass in which only windows say how long the device took: the mean step of each window.
Row of_windows(const std::string& what, Pass pass) {
  return {what, DistributionUnit::window, [pass](const RunRecord& record) {
            Values values;
            const TimedPass* found = find_pass(record, pass);
            if (found == nullptr) return values;
            for (const Window& window : found->windows) {
              if (window.left_out() || window.steps <= 0) continue;
              values.push_back(static_cast<double>(window.wall_ns) / static_cast<double>(window.steps));
            }
            return values;
          }};
}

bool by_step(const RunRecord& record, Pass pass) {
  const TimedPass* found = find_pass(record, pass);
  return found == nullptr || timed_by_step(*found);
}

Row whole_steps(const RunRecord& first, const std::string& what, Pass pass) {
  return by_step(first, pass) ? of_steps(what, pass, [](const StepSample& step) { return step.wall_ns; })
                              : of_windows(what, pass);
}

std::vector<Row> boundary_rows(const RunRecord& first) {
  std::vector<Row> rows;
  for (const Boundary boundary : first.boundaries.order()) {
    const auto index = static_cast<std::size_t>(boundary);
    rows.push_back(of_steps(std::string(first.boundaries.name(boundary)), Pass::phase,
                            [index](const StepSample& step) { return step.host_ns[index]; }));
  }
  return rows;
}

Values first_steps(const RunRecord& record) {
  const bool known = record.warmup && !record.absent.contains("first_step_ns");
  return known ? Values{static_cast<double>(record.warmup->first_step_ns)} : Values{};
}

Values batch_copies(const RunRecord& record) {
  if (!record.h2d) return {};
  for (const CopySeries& series : record.h2d->series) {
    if (series.layout == CopyLayout::batch) return {series.trial_ns.begin(), series.trial_ns.end()};
  }
  return {};
}

std::vector<Row> rows_for(const RunRecord& first) {
  constexpr auto data_wait = static_cast<std::size_t>(Boundary::data_wait);
  std::vector<Row> rows = {whole_steps(first, "step", Pass::e2e)};
  if (!by_step(first, Pass::e2e)) {
    rows.push_back(of_steps("queue a step", Pass::e2e,
                            [](const StepSample& step) { return step.wall_ns - step.host_ns[data_wait]; }));
  }
  rows.push_back(
      of_steps("data wait in e2e", Pass::e2e, [](const StepSample& step) { return step.host_ns[data_wait]; }));
  for (Row& row : boundary_rows(first)) rows.push_back(std::move(row));
  rows.push_back(whole_steps(first, "synthetic step", Pass::synthetic));
  rows.push_back({"copy of a batch", DistributionUnit::copy, batch_copies});
  rows.push_back({"first step", DistributionUnit::process, first_steps});
  return rows;
}

}  // namespace

std::vector<StepDistribution> step_distributions(const Measurement& measurement) {
  const TimedRecords records = clean_records(measurement, Group::timed);
  std::vector<StepDistribution> found;
  if (records.empty()) return found;
  for (const Row& row : rows_for(*records.front())) add_row(row, records, found);
  return found;
}

}  // namespace stepgate
