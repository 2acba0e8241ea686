#include "experiment/sweeping.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "cli/progress.h"
#include "core/error.h"
#include "experiment/pipeline.h"
#include "experiment/result_files.h"
#include "json/records/case_list_json.h"
#include "judge/studies/sweep_values.h"
#include "launch/program_output.h"
#include "launch/sweep_grid.h"
#include "stats/summary.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// All rounds of one sweep, process by process.
class SweepRun {
 public:
  SweepRun(const Context& context, const ManifestCase& entry, const std::atomic<int>& interrupted)
      : context_(context), base_(request_for(context, entry)), interrupted_(interrupted) {
    base_.groups = {Group::timed};
    for (const std::string& text : context.options.vary) sweep_.parameters.push_back(parse_vary(text));
    const auto grid = grid_of(sweep_.parameters);
    refuse_threads_twice();
    sweep_.settings.resize(grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) sweep_.settings[i].values = grid[i];
    beside_.resize(grid.size());
    sweep_.case_name = entry.name;
    sweep_.runner_class = context.options.runner_class;
    sweep_.utc = context.start.utc;
    sweep_.commit = context.commit;
    sweep_.metric = context.options.metric;
    sweep_.seed = base_.plan.seed;
    sweep_.rounds = base_.plan.timed_replicates;
    sweep_.cpus = base_.plan.cpus;
    sweep_.orders = round_orders(sweep_.seed, sweep_.rounds, grid.size());
    base_.plan.timed_replicates = 1;
  }

  Sweep run() {
    for (std::size_t round = 0; round < sweep_.orders.size() && !sweep_.interrupted; ++round) {
      run_round(round);
      if (round == 0) refuse_unknown_parameters();
    }
    clear_progress_line(context_.options);
    keep_medians();
    sweep_.seconds = seconds_since(start_);
    return std::move(sweep_);
  }

 private:
  void refuse_threads_twice() const {
    const bool swept = std::any_of(sweep_.parameters.begin(), sweep_.parameters.end(),
                                   [](const SweptParameter& parameter) { return parameter.name == "threads"; });
    if (swept && context_.options.threads) {
      throw Error(ErrorKind::usage, "--threads and --vary threads contradict each other", "give one of the two");
    }
  }

  void run_round(std::size_t round) {
    for (const std::size_t setting : sweep_.orders[round]) {
      if (sweep_.settings[setting].failure.empty()) run_setting(round, setting);
      ++done_;
      if (interrupted_.load() != 0) {
        sweep_.interrupted = true;
        return;
      }
    }
  }

  void run_setting(std::size_t round, std::size_t setting) {
    LaunchRequest request = base_;
    request.plan = plan_of_setting(base_.plan, sweep_.parameters, sweep_.settings[setting].values);
    request.out_dir = sweep_folder(context_, sweep_.case_name) / fmt::format("runs/r{:03}-s{:03}", round, setting);
    const Measurement measurement = measure_case(request, {with_own_counts(), &interrupted_});
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
  std::function<void(const LaunchProgress&)> with_own_counts() const {
    const auto line = progress_line(context_.options);
    if (!line) return {};
    const auto planned = static_cast<std::int64_t>(sweep_.orders.size() * sweep_.settings.size());
    return [this, line, planned](LaunchProgress progress) {
      progress.started = done_;
      progress.planned = planned;
      progress.elapsed_s = seconds_since(start_);
      if (done_ > 0)
        progress.remaining_s = progress.elapsed_s / static_cast<double>(done_) * static_cast<double>(planned - done_);
      line(progress);
    };
  }

  void refuse_unknown_parameters() const {
    const auto failed = [](const SweepSetting& setting) { return !setting.failure.empty(); };
    if (!std::all_of(sweep_.settings.begin(), sweep_.settings.end(), failed)) return;
    const fs::path listing = sweep_folder(context_, sweep_.case_name) / "runs/cases.json";
    const auto text = program_output({base_.program.string(), "--list", "--json"}, listing);
    if (!text) return;
    const auto declared = declared_params(*text, listing.string(), sweep_.case_name);
    if (!declared) return;
    std::vector<std::string> names;
    for (const auto& [name, value] : *declared) names.push_back(name);
    for (const SweptParameter& parameter : sweep_.parameters) {
      if (parameter.name == "threads" || declared->contains(parameter.name)) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("--vary {}: {} refuses it:\n{}", parameter.name, sweep_.case_name,
                              sweep_.settings.front().output_tail),
                  fmt::format("the case declares: {}", fmt::join(names, ", ")));
    }
  }

  const Context& context_;
  LaunchRequest base_;
  const std::atomic<int>& interrupted_;
  Sweep sweep_;
  std::vector<std::map<std::string, std::vector<double>>> beside_;
  std::int64_t done_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

fs::path sweep_folder(const Context& context, const std::string& case_name) {
  return context.options.out / "sweep" / case_name;
}

std::int64_t sweep_cpus(const Context& context, const ManifestCase& entry) {
  std::vector<SweptParameter> parameters;
  for (const std::string& text : context.options.vary) parameters.push_back(parse_vary(text));
  return cpus_for(request_for(context, entry).plan, parameters, grid_of(parameters));
}

Sweep measure_sweep(const Context& context, const ManifestCase& entry, const std::atomic<int>& interrupted) {
  prepare_result_folder(sweep_folder(context, entry.name));
  return SweepRun(context, entry, interrupted).run();
}

}  // namespace stepgate
