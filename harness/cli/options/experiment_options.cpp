#include "cli/options/experiment_options.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "core/error.h"
#include "environment/guard/journal_file.h"
#include "system/step_count_list.h"

namespace stepgate {
namespace {

std::string one_case(const Options& options, const char* example) {
  if (options.arguments.size() == 1) return options.arguments.front();
  throw Error(ErrorKind::usage, fmt::format("{} takes one case, found {}", options.command, options.arguments.size()),
              example);
}

Interleave interleave_named(const std::string& name) {
  if (name == "windows") return Interleave::windows;
  return name == "processes" ? Interleave::processes : Interleave::automatic;
}

}  // namespace

ProjectOptions project_options(const Options& options) {
  return {.build = options.build,
          .baseline_root = options.baseline_root,
          .policy_root = options.policy_root,
          .data_dir = options.data_dir,
          .out = options.out,
          .runner_class = options.runner_class,
          .session_gap_s = options.session_gap_s,
          .require_baseline = options.require_baseline,
          .require_gpu = options.require_gpu,
          .may_skip = comma_separated(options.may_skip)};
}

TierChoice tier_choice(const Options& options) { return tier_choice_named(options.tier).value_or(TierChoice::all); }

Selection selection(const Options& options) { return {.names = options.arguments, .globs = options.filters}; }

MeasureOptions measure_options(const Options& options) {
  MeasureOptions measure{.tier = tier_choice(options),
                         .timed_replicates = options.replicates,
                         .exact_replicates = options.exact_replicates,
                         .threads = options.threads,
                         .seed = options.seed,
                         .timeout_s = options.timeout_s,
                         .malloc_policy = options.malloc_policy,
                         .passed_variables = {options.pass_env.begin(), options.pass_env.end()}};
  if (!options.steps.empty()) measure.steps = read_step_counts(options.steps, "--steps");
  return measure;
}

HostOptions host_options(const Options& options) {
  const auto& folder = options.state_folder.empty() ? default_state_folder() : options.state_folder;
  return {.mode = guard_mode_named(options.guard).value_or(GuardMode::process),
          .knobs = comma_separated(options.knobs),
          .state_folder = std::filesystem::absolute(folder),
          .gpu_clock_mhz = options.gpu_clock,
          .gpu_memory_clock_mhz = options.gpu_memory_clock,
          .wait_lock_s = options.wait_lock_s};
}

PairOptions pair_options(const Options& options) {
  return {.base_build = options.base_build,
          .most_pairs = options.pairs,
          .interleave = interleave_named(options.interleave),
          .budget_s = options.budget_s,
          .order_seed = options.order_seed,
          .seeds = options.seeds,
          .seed_steps = options.seed_steps,
          .explain = !options.no_explain};
}

AbOptions ab_options(const Options& options) {
  return {.selection = selection(options),
          .measure = measure_options(options),
          .host = host_options(options),
          .pairs = pair_options(options)};
}

NodePlanOptions node_plan_options(const Options& options, std::optional<std::int64_t> shards) {
  NodePlanOptions plan{.ab = ab_options(options), .shards = shards.value_or(options.shards.value_or(1)), .layout = {}};
  plan.mixed_nodes = options.mixed_nodes;
  if (options.layout == "case") plan.layout = NodeLayout::by_case;
  if (options.layout == "round") plan.layout = NodeLayout::by_round;
  return plan;
}

NodeSweepOptions node_sweep_options(const Options& options, std::optional<std::int64_t> shards) {
  return {.sweep = sweep_options(options),
          .shards = shards.value_or(options.shards.value_or(1)),
          .mixed_nodes = options.mixed_nodes};
}

ShardRunOptions shard_run_options(const Options& options) {
  const auto& words = options.arguments;
  std::int64_t shard = 0;
  if (words.size() == 2) std::from_chars(words[1].data(), words[1].data() + words[1].size(), shard);
  if (shard < 1) {
    throw Error(ErrorKind::usage, "shard run takes a plan folder and the number of a shard, from 1",
                "stepgate shard run PLAN 1");
  }
  ShardRunOptions run{
      .plan = words[0], .shard = shard, .attempt = options.attempt.value_or(0), .host = host_options(options)};
  if (!options.run_lock.empty()) run.host.run_lock = options.run_lock;
  return run;
}

std::filesystem::path plan_argument(const Options& options) {
  if (options.arguments.size() == 1) return options.arguments.front();
  throw Error(ErrorKind::usage, fmt::format("merge takes one plan folder, found {}", options.arguments.size()),
              "stepgate merge PLAN");
}

GateOptions gate_options(const Options& options) {
  return {.selection = selection(options),
          .measure = measure_options(options),
          .host = host_options(options),
          .pairs = pair_options(options)};
}

CheckOptions check_options_of(const Options& options) {
  return {.files = {options.arguments.begin(), options.arguments.end()}, .tier = tier_choice(options)};
}

MeasurementOptions measurement_options(const Options& options) {
  return {.selection = selection(options), .measure = measure_options(options), .host = host_options(options)};
}

ComparisonOptions comparison_options(const Options& options) {
  if (options.arguments.size() != 2) {
    throw Error(ErrorKind::usage, fmt::format("compare takes two measurements, found {}", options.arguments.size()),
                "stepgate compare BEFORE AFTER: measurement.json files, or folders of results");
  }
  return {.before = options.arguments[0],
          .after = options.arguments[1],
          .tier = tier_choice(options),
          .globs = options.filters};
}

SweepOptions sweep_options(const Options& options) {
  return {.case_name = one_case(options, "stepgate sweep CASE --vary batch_size=4,8,16"),
          .parameters = options.vary,
          .metric = options.metric.empty() ? "samples_per_s" : options.metric,
          .measure = measure_options(options),
          .host = host_options(options)};
}

SavedLawOptions saved_law_options(const Options& options) {
  return {.case_name = one_case(options, "stepgate sweep CASE --vary batch_size=4,8 --law saved_bytes"),
          .parameters = options.vary,
          .measure = measure_options(options),
          .host = host_options(options)};
}

ProfileOptions profile_options(const Options& options) {
  return {.case_name = one_case(options, "stepgate profile CASE; stepgate list names them"),
          .phase = profile_phase_named(options.phase).value_or(ProfilePhase::operators),
          .proving = proving_named(options.prove).value_or(Proving::automatic),
          .trace_schedule = options.schedule == "none" ? "" : options.schedule,
          .measure = measure_options(options),
          .host = host_options(options)};
}

ProfileDifferenceOptions profile_difference_options(const Options& options) {
  return {.case_name = one_case(options, "stepgate profile CASE --base-build DIR; stepgate list names them"),
          .measure = measure_options(options),
          .host = host_options(options),
          .pairs = pair_options(options)};
}

AblationOptions ablation_options(const Options& options) {
  return {.case_name = one_case(options, "stepgate ablate CASE; stepgate list names them"),
          .measure = measure_options(options),
          .host = host_options(options),
          .pairs = options.pairs.value_or(default_ablation_pairs),
          .order_seed = options.order_seed};
}

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

void refuse_arguments(const Options& options, const std::string& remedy) {
  if (options.arguments.empty()) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} takes no argument, found '{}'", options.command, options.arguments.front()), remedy);
}

}  // namespace stepgate
