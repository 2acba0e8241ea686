#include "experiment/plan/case_plan.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "baseline/baseline_path.h"
#include "baseline/find_baseline.h"
#include "core/step_count_fields.h"
#include "experiment/plan/emulated_cases.h"
#include "experiment/plan/event_notice.h"
#include "experiment/plan/measurement_files.h"
#include "launch/staged_builds.h"
#include "launch/window_length.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A program of this build that has the reference case built in; "" where there is none.
fs::path reference_program(const Manifest& manifest, const ManifestCase& entry) {
  const auto found = std::find_if(manifest.cases.begin(), manifest.cases.end(), [&](const ManifestCase& other) {
    return other.benchmark.empty() && other.device == entry.device && fs::exists(other.program);
  });
  return found == manifest.cases.end() ? fs::path() : found->program;
}

Plan process_plan(const MeasureOptions& options, const ManifestCase& entry) {
  Plan plan;
  plan.device = entry.device;
  plan.cpus = entry.cpus;
  plan.timeout_s = options.timeout_s.value_or(entry.timeout_s);
  plan.timed_replicates = options.timed_replicates.value_or(plan.timed_replicates);
  plan.exact_replicates = options.exact_replicates.value_or(plan.exact_replicates);
  plan.threads = options.threads.value_or(plan.threads);
  plan.seed = options.seed.value_or(plan.seed);
  if (!options.malloc_policy.empty()) plan.malloc_policy = options.malloc_policy;
  plan.steps = options.steps;
  if (!options.request_rate.empty()) plan.params[request_rate_param] = options.request_rate;
  return plan;
}

/// "10:05:31 UTC"
std::string time_of_day(std::int64_t unix_s) { return fmt::format("{:%H:%M:%S} UTC", fmt::gmtime(unix_s)); }

/// For the terminal only: the names of processes are nobody else's business.
Notice discarded_notice(const DiscardedReplicate& discarded) {
  std::vector<std::string> busiest;
  for (const BusyProcess& process : discarded.busiest) busiest.push_back(text_of(process));
  return {Severity::note,
          fmt::format("{}: {} process {} discarded at {}: {}{}{}", discarded.case_name, name_of(discarded.group),
                      discarded.index, time_of_day(discarded.ended_unix_s), fmt::join(discarded.reasons, "; "),
                      busiest.empty() ? "" : "; busiest: ", fmt::join(busiest, ", "))};
}

Notice given_up_notice(const GivenUpGroup& group) {
  return {Severity::warning,
          fmt::format("{}: {} of {} {} processes discarded: no more are started", group.case_name,
                      group.measured - group.clean, group.measured, name_of(group.group)),
          "see what runs now, and stop it: stepgate doctor"};
}

LaunchCallbacks callbacks_of(const Caller& caller, std::function<void(const LaunchProgress&)> on_progress) {
  return {
      .on_progress = std::move(on_progress),
      .interrupted = &caller.interrupted,
      .on_discarded = [tell = caller.observer.on_notice](
                          const DiscardedReplicate& discarded) { tell(discarded_notice(discarded)); },
      .on_given_up = [tell = caller.observer.on_notice](const GivenUpGroup& group) { tell(given_up_notice(group)); }};
}

bool names_timed_count(const NamedSteps& steps) {
  return std::any_of(step_count_fields.begin(), step_count_fields.end(), [&](const StepCountField& field) {
    return field.decides == Group::timed && steps.contains(std::string(field.name));
  });
}

ProcessProgress progress_of(const LaunchProgress& progress) {
  return {.case_name = progress.case_name,
          .group = progress.group,
          .index = progress.index,
          .attempt = progress.attempt,
          .started = progress.started,
          .planned = progress.planned,
          .remaining_s = progress.remaining_s};
}

/// If the offer is known and too small, nothing is started.
void give_gpus(const GpuOffer& offer, const ManifestCase& entry, LaunchRequest& request) {
  GpuChoice choice = choose_gpus(offer, entry.gpus);
  request.gpus = std::move(choice.gpus);
  if (choice.too_few.empty()) return;
  const FailureKind kind = offer.gpus.empty() ? FailureKind::unavailable : FailureKind::too_few_gpus;
  request.unavailable = ReplicateFailure{kind, std::move(choice.too_few), ""};
}

Notice skipped_case(const LaunchRequest& request) {
  const std::string next =
      request.emulated
          ? fmt::format("give the emulated machine more GPUs: --device emulated:{}:N{}", request.emulated->device.model,
                        request.emulated->device.values ? ":values" : "")
          : "stepgate measures on the GPUs that CUDA_VISIBLE_DEVICES, Slurm or CTest offer: docs/which_gpu.md";
  return {Severity::warning, fmt::format("{}: skipped: {}", request.case_name, request.unavailable->message), next};
}

}  // namespace

bool judges_exact(TierChoice half, const ManifestCase& entry) { return wants_exact(half) && entry.benchmark.empty(); }
bool judges_timed(TierChoice half) { return wants_timed(half); }

fs::path result_folder(const Project& project, const std::string& case_name, TierChoice half) {
  return project.out / case_name / name_of(half);
}

CaseFiles read_case_files(const Project& project, const ManifestCase& entry, TierChoice half) {
  const bool on_gpu = entry.device == Device::cuda;
  const bool exact = judges_exact(half, entry);
  const auto find = [&](Scope scope, const std::string& runner_class) {
    return find_baseline(project.baseline_root, {scope, runner_class, entry.name});
  };
  CaseFiles files{.policy = read_policy(project, entry.suite)};
  if (exact)
    files.exact =
        on_gpu ? find(Scope::device, project.runner_class) : find(Scope::portable, std::string(portable_class));
  if (judges_timed(half) || (exact && on_gpu && !files.exact)) files.runner = find(Scope::runner, project.runner_class);
  return files;
}

LaunchRequest request_for(const Run& run, const ManifestCase& entry, const Policy& policy) {
  refuse_emulated_class(run.project);
  const TierChoice half = run.measure.tier;
  LaunchRequest request;
  request.case_name = entry.name;
  request.program = entry.program;
  request.source_root = run.project.manifest.source_root;
  request.device = entry.device;
  request.plan = process_plan(run.measure, entry);
  request.benchmark = entry.benchmark;
  if (!entry.benchmark.empty()) request.reference_program = reference_program(run.project.manifest, entry);
  const bool has_reference = entry.benchmark.empty() || !request.reference_program.empty();
  if (judges_exact(half, entry)) request.groups.push_back(Group::exact);
  if (judges_timed(half)) {
    request.groups.push_back(Group::timed);
    if (has_reference) request.groups.push_back(Group::reference);
  }
  request.data_dir = run.project.data_dir.empty() ? entry.data_root : run.project.data_dir;
  request.out_dir = result_folder(run.project, entry.name, half);
  request.passed_variables = run.measure.passed_variables;
  request.taint_limits = policy.taint_limits;
  request.fewest_clean = policy.min_clean_replicates;
  request.runner_class = run.project.runner_class;
  request.commit = run.project.commit;
  request.guard = run.host.guard;
  request.emulated = run.project.emulated;
  request.seeks_hazards = run.measure.seeks_hazards && run.project.emulated && judges_exact(half, entry);
  if (request.emulated) refuse_without_values_library(*request.emulated, request.seeks_hazards);
  if (run.host.gpu) request.gpu_pci_bus_id = run.host.gpu->pci_bus_id;  // all cases of a run choose their CPUs alike
  if (entry.device == Device::cuda) give_gpus(run.host.gpus, entry, request);
  return request;
}

void settle_windows(CasePlan& plan) {
  NamedSteps& steps = plan.request.plan.steps;
  if (!judges_timed(plan.tier) || !plan.entry.benchmark.empty() || names_timed_count(steps)) return;
  if (plan.files.runner && !plan.files.runner->sessions.empty()) {
    const auto counts = plan.files.runner->key.find("timed_steps");
    if (counts != plan.files.runner->key.end()) steps.merge(steps_of_baseline(counts->second));
    return;
  }
  plan.request.may_lengthen_windows = true;
}

Notice lengthened_windows(const std::string& case_name, const NamedSteps& steps) {
  return {Severity::note,
          fmt::format("{}: steps so short that windows of 10 take less than {} ms; all timed passes run "
                      "more steps ({})",
                      case_name, least_window_ns / 1'000'000, text_of(steps))};
}

CasePlan plan_case(const Run& run, const ManifestCase& entry) {
  CasePlan plan{.entry = entry,
                .tier = run.measure.tier,
                .files = read_case_files(run.project, entry, run.measure.tier),
                .request = {}};
  plan.request = request_for(run, entry, plan.files.policy);
  settle_windows(plan);
  return plan;
}

Measurement launch(const CasePlan& plan, const Caller& caller) {
  prepare_result_folder(plan.request.out_dir);
  if (plan.request.unavailable) caller.observer.on_notice(skipped_case(plan.request));
  const std::string program_digest = file_digest(plan.request.program);
  Measurement measurement = measure_case(plan.request, callbacks_for(caller));
  measurement.program_digest = program_digest;
  if (measurement.plan.steps != plan.request.plan.steps)
    caller.observer.on_notice(lengthened_windows(measurement.case_name, measurement.plan.steps));
  if (const auto notice = thinned_events(measurement)) caller.observer.on_notice(*notice);
  write_measurement(plan.request.out_dir, measurement);
  return measurement;
}

LaunchCallbacks callbacks_for(const Caller& caller) {
  return callbacks_of(caller, [observe = caller.observer.on_progress](const LaunchProgress& progress) {
    observe(progress_of(progress));
  });
}

LaunchCallbacks callbacks_for(const Caller& caller, const ProcessesSoFar& so_far) {
  return callbacks_of(caller, [observe = caller.observer.on_progress, so_far](const LaunchProgress& of_launcher) {
    ProcessProgress progress = progress_of(of_launcher);
    progress.started = so_far.done;
    progress.planned = so_far.planned;
    progress.remaining_s = so_far.remaining_s;
    observe(progress);
  });
}

}  // namespace stepgate
