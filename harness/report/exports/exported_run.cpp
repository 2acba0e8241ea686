#include "report/exports/exported_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/judged/emulated_result.h"
#include "core/text/utc_time.h"

namespace stepgate {
namespace {

std::vector<double> process_values(const Outcome& outcome, const MetricVerdict& verdict) {
  for (const MetricBackground& background : outcome.backgrounds) {
    if (background.metric == verdict.metric && background.scope == verdict.scope && !background.now.empty())
      return background.now;
  }
  return {*verdict.current};
}

void refuse_infinite(const ExportedSeries& series) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (finite(series.value) && std::ranges::all_of(series.values, finite)) return;
  throw Error(ErrorKind::measure, fmt::format("export: {} of {} is not finite", series.metric, series.case_name),
              "correct the case, or leave it out: --filter");
}

/// No value of an emulated GPU is a time, whatever an older result holds.
bool is_of_time(const std::string& name) {
  const Metric* metric = find_metric(name);
  return metric != nullptr && (metric->tier == Tier::timed || depends_on_time(metric->unit));
}

ExportedSeries series_of(const RunReport& report, const Outcome& outcome, const MetricVerdict& verdict) {
  ExportedSeries series{
      .case_name = exported_case_name(report, outcome), .metric = verdict.metric, .unit = {}, .values = {}};
  if (const Metric* metric = find_metric(verdict.metric)) {
    series.unit = metric->unit;
    series.direction = metric->direction;
  }
  series.value = *verdict.current;
  series.values = process_values(outcome, verdict);
  refuse_infinite(series);
  return series;
}

}  // namespace

ExportedRun exported_run(const RunReport& report) {
  ExportedRun run{.utc = report.utc,
                  .unix_s = unix_seconds(report.utc).value_or(0),
                  .commit = report.commit,
                  .runner_class = report.runner_class,
                  .emulated_gpu = emulated_gpu_of(report),
                  .stepgate_version = report.stepgate_version,
                  .series = {}};
  std::set<std::string> labels;
  for (const Outcome& outcome : report.outcomes) {
    const bool is_emulated = !emulated_gpu_of(outcome).empty();
    for (const MetricVerdict& verdict : outcome.verdict.metrics) {
      if (!verdict.current || (is_emulated && is_of_time(verdict.metric))) continue;
      run.series.push_back(series_of(report, outcome, verdict));
      if (labels.insert(run.series.back().label()).second) continue;
      throw Error(ErrorKind::measure,
                  fmt::format("export: case {} has the metric {} twice", outcome.verdict.case_name, verdict.metric),
                  "export one half of the run: --tier exact or --tier timed");
    }
  }
  return run;
}

}  // namespace stepgate
