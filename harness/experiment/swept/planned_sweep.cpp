#include "experiment/swept/planned_sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/metric.h"
#include "core/stored/metric_margins.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "experiment/swept/sweep_grid.h"
#include "experiment/swept/swept_case.h"
#include "judge/studies/sweep_ranking.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Settings are ranked by ratios, so the metric must be a positive quantity with a better side.
const Metric& ranking_metric(const std::string& name) {
  std::vector<std::string_view> known;
  for (const Metric& metric : metric_catalogue()) {
    const bool ranks = !is_family(metric) && metric.tier == Tier::timed && metric.unit != MetricUnit::ratio &&
                       metric.direction != Direction::neither;
    if (ranks && metric.name == name) return metric;
    if (ranks) known.push_back(metric.name);
  }
  const auto near = nearest_name(name, known);
  throw Error(
      ErrorKind::usage, fmt::format("--metric: '{}' cannot rank settings", name),
      (near ? fmt::format("did you mean '{}'? ", *near) : "") + fmt::format("one of: {}", fmt::join(known, ", ")));
}

std::vector<SweptParameter> parameters_of(const SweepOptions& options) {
  std::vector<SweptParameter> parameters = swept_parameters(options.parameters);
  for (const SweptParameter& parameter : parameters) {
    if (parameter.name != "threads" || !options.measure.threads) continue;
    throw Error(ErrorKind::usage, "--threads and --vary threads contradict each other", "give one of the two");
  }
  return parameters;
}

}  // namespace

SweptCase open_sweep(const Project& project, const SweepOptions& options, const fs::path& folder) {
  refuse_debug_build(project.manifest);
  SweptCase swept{.entry = case_to_sweep(project, options.case_name), .policy = {}, .plan = {}};
  refuse_unbuilt(project.manifest, {swept.entry});
  swept.policy = read_policy(project, swept.entry.suite);
  swept.plan.metric = ranking_metric(options.metric).name;
  swept.plan.parameters = parameters_of(options);
  Plan process;
  process.cpus = swept.entry.cpus;
  process.threads = options.measure.threads.value_or(process.threads);
  swept.entry.cpus = cpus_for(process, swept.plan.parameters, grid_of(swept.plan.parameters));
  prepare_result_folder(folder);
  refuse_undeclared(swept.entry, swept.plan.parameters, folder);
  return swept;
}

LaunchRequest sweep_request(const Run& run, const SweptCase& swept) {
  LaunchRequest request = request_for(run, swept.entry, swept.policy);
  request.groups = {Group::timed};
  return request;
}

void rank_sweep(const Policy& policy, Sweep& sweep) {
  const Metric& metric = ranking_metric(sweep.metric);
  sweep.ranking = rank_settings(sweep.parameters, sweep.settings,
                                {.direction = metric.direction,
                                 .margins = margins_of(policy, metric.name),
                                 .level = 0.95});  // 1 - alpha: docs/design/verdicts.md, "Error budget"
}

}  // namespace stepgate
