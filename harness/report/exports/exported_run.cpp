#include "report/exports/exported_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
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

ExportedSeries series_of(const Outcome& outcome, const MetricVerdict& verdict) {
  ExportedSeries series{.case_name = outcome.verdict.case_name, .metric = verdict.metric, .unit = {}, .values = {}};
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
                  .stepgate_version = report.stepgate_version,
                  .series = {}};
  std::set<std::string> labels;
  for (const Outcome& outcome : report.outcomes) {
    for (const MetricVerdict& verdict : outcome.verdict.metrics) {
      if (!verdict.current) continue;
      run.series.push_back(series_of(outcome, verdict));
      if (labels.insert(run.series.back().label()).second) continue;
      throw Error(ErrorKind::measure,
                  fmt::format("export: case {} has the metric {} twice", outcome.verdict.case_name, verdict.metric),
                  "export one half of the run: --tier exact or --tier timed");
    }
  }
  return run;
}

}  // namespace stepgate
