#include "experiment/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "core/error.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "experiment/plan/swept_case.h"
#include "json/results/sweep_json.h"
#include "judge/rules/timed_comparison.h"
#include "judge/studies/sweep_ranking.h"
#include "judge/studies/sweep_values.h"
#include "launch/sweep_grid.h"
#include "stats/summary.h"
#include "system/elapsed.h"
#include "system/file.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Settings are ranked by ratios, so only what is a positive quantity with a better side will do.
const Metric& ranking_metric(const std::string& name) {
  std::vector<std::string_view> known;
  for (const Metric& metric : metric_catalogue()) {
    const bool ranks = !is_family(metric) && metric.tier == Tier::timed && metric.unit != "ratio" &&
                       metric.direction != Direction::neither;
    if (ranks && metric.name == name) return metric;
    if (ranks) known.push_back(metric.name);
  }
  const auto near = nearest_name(name, known);
  throw Error(
      ErrorKind::usage, fmt::format("--metric: '{}' cannot rank settings", name),
      (near ? fmt::format("did you mean '{}'? ", *near) : "") + fmt::format("one of: {}", fmt::join(known, ", ")));
}

SweepRules rules_for(const Policy& policy, const Metric& metric) {
  return {.direction = metric.direction,
          .margins = margins_of(policy, metric.name),
          .level = 0.95};  // 1 - alpha: docs/design/verdicts.md, "Error budget"
}

std::vector<SweptParameter> parameters_of(const SweepOptions& options) {
  std::vector<SweptParameter> parameters = swept_parameters(options.parameters);
  for (const SweptParameter& parameter : parameters) {
    if (parameter.name != "threads" || !options.measure.threads) continue;
    throw Error(ErrorKind::usage, "--threads and --vary threads contradict each other", "give one of the two");
  }
  return parameters;
}

/// The CPUs that the most demanding setting needs: all settings are measured on as many.
std::int64_t cpus_of_sweep(const SweepOptions& options, const ManifestCase& entry) {
  Plan plan;
  plan.cpus = entry.cpus;
  plan.threads = options.measure.threads.value_or(plan.threads);
  const std::vector<SweptParameter> parameters = parameters_of(options);
  return cpus_for(plan, parameters, grid_of(parameters));
}

struct SweptCase {
  const ManifestCase& entry;
  const Policy& policy;
};

/// All rounds of one sweep, process by process.
class SweepRounds {
 public:
  SweepRounds(const Run& run, const SweptCase& swept, const SweepOptions& options)
      : caller_(run.caller),
        base_(request_for(run, swept.entry, swept.policy)),
        folder_(sweep_folder(run.project, swept.entry.name)) {
    base_.groups = {Group::timed};
    sweep_.parameters = parameters_of(options);
    const auto grid = grid_of(sweep_.parameters);
    sweep_.settings.resize(grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) sweep_.settings[i].values = grid[i];
    beside_.resize(grid.size());
    sweep_.case_name = swept.entry.name;
    sweep_.runner_class = run.project.runner_class;
    sweep_.utc = run.project.start.utc;
    sweep_.commit = run.project.commit;
    sweep_.metric = options.metric;
    sweep_.seed = base_.plan.seed;
    sweep_.rounds = base_.plan.timed_replicates;
    sweep_.cpus = base_.plan.cpus;
    sweep_.orders = round_orders(sweep_.seed, sweep_.rounds, grid.size());
    base_.plan.timed_replicates = 1;
  }

  Sweep run() {
    for (std::size_t round = 0; round < sweep_.orders.size() && !sweep_.interrupted; ++round) run_round(round);
    keep_medians();
    sweep_.seconds = seconds_since(start_);
    return std::move(sweep_);
  }

 private:
  void run_round(std::size_t round) {
    for (const std::size_t setting : sweep_.orders[round]) {
      if (sweep_.settings[setting].failure.empty()) run_setting(round, setting);
      ++done_;
      if (caller_.interrupted.load() != 0) {
        sweep_.interrupted = true;
        return;
      }
    }
  }

  void run_setting(std::size_t round, std::size_t setting) {
    LaunchRequest request = base_;
    request.plan = plan_of_setting(base_.plan, sweep_.parameters, sweep_.settings[setting].values);
    request.out_dir = folder_ / fmt::format("runs/r{:03}-s{:03}", round, setting);
    const Measurement measurement = measure_case(request, callbacks());
    if (const auto had = measurement.host.find("affinity_count"); had != measurement.host.end()) {
      sweep_.cpus_had = std::strtoll(had->second.c_str(), nullptr, 10);
    }
    if (!measurement.replicates.empty()) keep(round, setting, measurement.replicates.back());
  }

  void keep(std::size_t round, std::size_t setting, const Replicate& replicate) {
    SweepSetting& into = sweep_.settings[setting];
    if (replicate.failure) {
      if (replicate.failure->kind == FailureKind::interrupted) return;
      into.failure = replicate.failure->message;
      into.output_tail = replicate.failure->output_tail;
      return;
    }
    if (!replicate.record || !replicate.taint_reasons.empty()) {
      ++into.tainted;
      return;
    }
    const SweepReading reading = sweep_reading(*replicate.record, sweep_.metric);
    if (!reading.value) {
      into.failure = fmt::format("no {}: {}", sweep_.metric, reading.absent);
      return;
    }
    into.by_round[static_cast<std::int64_t>(round)] = *reading.value;
    for (const auto& [name, value] : reading.beside) beside_[setting][name].push_back(value);
  }

  void keep_medians() {
    for (std::size_t i = 0; i < beside_.size(); ++i) {
      for (const auto& [name, values] : beside_[i]) sweep_.settings[i].beside[name] = median(values);
    }
  }

  /// The launcher counts the one process that it was asked for; a person wants the place in the whole sweep.
  LaunchCallbacks callbacks() const {
    ProcessesSoFar so_far{.done = done_,
                          .planned = static_cast<std::int64_t>(sweep_.orders.size() * sweep_.settings.size())};
    if (done_ > 0) {
      const double each_s = seconds_since(start_) / static_cast<double>(done_);
      so_far.remaining_s = each_s * static_cast<double>(so_far.planned - done_);
    }
    return callbacks_for(caller_, so_far);
  }

  const Caller& caller_;
  LaunchRequest base_;
  fs::path folder_;
  Sweep sweep_;
  std::vector<std::map<std::string, std::vector<double>>> beside_;
  std::int64_t done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

fs::path sweep_folder(const Project& project, const std::string& case_name) {
  return project.out / "sweep" / case_name;
}

Sweep run_sweep(const Project& project, const SweepOptions& options, const Caller& caller) {
  refuse_debug_build(project.manifest);
  ManifestCase entry = case_to_sweep(project, options.case_name);
  refuse_unbuilt(project.manifest, {entry});
  const Policy policy = read_policy(project, entry.suite);
  const SweepRules rules = rules_for(policy, ranking_metric(options.metric));
  entry.cpus = cpus_of_sweep(options, entry);
  const fs::path folder = sweep_folder(project, entry.name);
  prepare_result_folder(folder);
  refuse_undeclared(entry, parameters_of(options), folder);

  const QuietHost quiet(options.host, {"sweep", {entry}, options.measure.threads.value_or(1)}, caller.observer);
  const Run run{project, options.measure, quiet.measured(), caller};

  Sweep sweep = SweepRounds(run, {entry, policy}, options).run();
  sweep.ranking = rank_settings(sweep.parameters, sweep.settings, rules);
  write_file_atomically(folder / "sweep.json", to_text(sweep));
  return sweep;
}

}  // namespace stepgate
