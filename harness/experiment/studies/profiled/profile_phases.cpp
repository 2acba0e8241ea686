#include "experiment/studies/profiled/profile_phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "core/record/clean_records.h"
#include "core/stored/absolute_limit.h"
#include "core/stored/metric_margins.h"
#include "diagnose/profile/profile_case.h"
#include "diagnose/profile/step/costly_places.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/studies/failure_text.h"
#include "experiment/studies/profiled/call_cost_looks.h"
#include "experiment/studies/profiled/doubled_plan.h"
#include "experiment/studies/profiled/experiment_looks.h"
#include "experiment/studies/profiled/further_processes.h"
#include "experiment/studies/profiled/observed_while_counted.h"
#include "experiment/studies/profiled/profile_traces.h"
#include "experiment/studies/profiled/repeated_places.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Student's t needs two. One doubled process more or less changes little: all of them are compared with the processes
/// of the baseline.
constexpr std::int64_t doubled_processes = 2;

/// "" where no process failed. A process that a signal to stepgate stopped has not failed.
std::string first_failure(const Measurement& measurement) {
  for (const Replicate& replicate : measurement.replicates) {
    if (!counts_as_failed(replicate) || replicate.failure->kind == FailureKind::interrupted) continue;
    return fmt::format("process {} of group {} failed: {}", replicate.index, name_of(replicate.group),
                       failure_text(*replicate.failure));
  }
  return "";
}

std::int64_t clean_processes(const Measurement& measurement) {
  return std::count_if(measurement.replicates.begin(), measurement.replicates.end(), is_clean);
}

/// All processes of one profile.
class ProfilePhases {
 public:
  ProfilePhases(const Run& run, const ProfiledCase& profiled, const ProfileOptions& options)
      : run_(run), profiled_(profiled), options_(options), folder_(profiled.folder) {
    input_.ignore_margin = margins_of(profiled.policy, "step_time_ns").ignore;
    for (const AbsoluteLimit& limit : limits_of(profiled.policy, {profiled.entry.name, run.project.runner_class}))
      if (limit.kind == AbsoluteLimitKind::budget && limit.metric == "peak_allocated_bytes")
        input_.peak_budget_bytes = limit.value;
    planned_ = 1;
    if (run_.project.emulated) return;
    planned_ += baseline_processes + (goes_to(ProfilePhase::kind) ? profile_processes_of(options_) : 0);
  }

  ProfileResult run() {
    if (run_.project.emulated) {
      measure_counts_alone();
      return finished();
    }
    measure_baseline();
    if (goes_to(ProfilePhase::kind) && may_go_on()) measure_kind();
    if (goes_to(ProfilePhase::kind) && busy_ && !is_interrupted()) observe_only();
    if (goes_to(ProfilePhase::operators) && options_.proving != Proving::off && may_go_on()) measure_call_costs();
    return finished();
  }

 private:
  bool goes_to(ProfilePhase phase) const { return options_.phase >= phase; }
  bool is_interrupted() const { return run_.caller.interrupted.load() != 0; }
  bool may_go_on() const { return stopped_.empty() && !is_interrupted(); }

  LaunchRequest request_of(Group group, const std::string& folder) const {
    LaunchRequest request = request_for(run_, profiled_.entry, profiled_.policy);
    request.groups = {group};
    request.plan.timed_replicates = baseline_processes;
    request.plan.exact_replicates = 1;
    request.plan.params = options_.params;
    request.fewest_clean = 2;
    request.out_dir = folder_ / folder;
    return request;
  }

  /// Each measurement is stored before the next one begins.
  Measurement measured(const LaunchRequest& request) {
    prepare_result_folder(request.out_dir);
    const Caller shifted{.observer = shifted_observer(), .commands = {}, .interrupted = run_.caller.interrupted};
    Measurement measurement = measure_case(request, callbacks_for(shifted));
    write_measurement(request.out_dir, measurement);
    done_ += std::ssize(measurement.replicates);
    return measurement;
  }

  /// The launcher counts the processes of one group; a person wants the place in the whole profile.
  Observer shifted_observer() const {
    Observer observer = run_.caller.observer;
    observer.on_progress = [tell = observer.on_progress, done = done_, planned = planned_,
                            start = start_](ProcessProgress progress) {
      progress.started += done;
      progress.planned = std::max(planned, progress.started + 1);
      progress.remaining_s = std::nullopt;
      if (progress.started > 0) {
        progress.remaining_s = seconds_since(start) / static_cast<double>(progress.started) *
                               static_cast<double>(progress.planned - progress.started);
      }
      tell(progress);
    };
    return observer;
  }

  /// Counts first: they need no quiet machine and fail fast.
  void measure_baseline() {
    input_.exact = measured(request_of(Group::exact, "exact"));
    stop_after_failure(input_.exact);
    if (!may_go_on()) return;
    LaunchRequest request = request_of(Group::timed, "baseline");
    request.may_lengthen_windows = options_.measure.steps.empty();
    input_.timed = measured(request);
    stop_after_failure(input_.timed);
    if (!may_go_on()) return;
    std::string reason = why_stopped(input_.timed);
    if (reason.empty() && clean_processes(input_.timed) < 2) {
      reason = "the baseline was discarded: fewer than 2 clean processes";
    }
    if (reason.empty()) return;
    busy_ = true;
    stopped_ = reason +
               "; so nothing is said of what limits the step. Operators, memory, layout and checklist need no quiet "
               "machine. Next: stepgate doctor";
  }

  /// An emulated GPU has no times: the counts of group exact, and what its process saw of each operator.
  void measure_counts_alone() {
    input_.no_times = "an emulated GPU has no times";
    input_.exact = measured(request_of(Group::exact, "exact"));
    stop_after_failure(input_.exact);
    input_.timed = input_.exact;  // its plan, for what the page says of the case
    input_.timed.replicates.clear();
    input_.profile = observed_while_counted(input_.exact);
  }

  /// One process, which nothing repeats: what it counts is the same on a busy machine.
  void observe_only() {
    remove_older_traces(folder_ / "profile");
    LaunchRequest request = profile_request(1, "profile");
    request.profile_parts = ProfileParts::observe;
    request.plan.max_retries = 0;
    input_.profile = measured(request);
  }

  void stop_after_failure(const Measurement& measurement) {
    const std::string failure = first_failure(measurement);
    if (failure.empty()) return;
    stopped_ =
        fmt::format("{}; no later phase would mean anything. Next: {}", failure,
                    run_again_text(profiled_.entry.name, measurement.replicates.front().group, run_.project.emulated));
  }

  void measure_kind() {
    remove_older_traces(folder_ / "profile");
    if (options_.proving == Proving::off) {
      input_.profile = measured(profile_request(profile_processes_of(options_), "profile"));
      return;
    }
    input_.doubled_batch = measured_doubled(
        plan_doubled_batch(request_to_double("doubled-batch"), profiled_.entry, folder_), Experiment::doubled_batch);
    input_.doubled_threads =
        measured_doubled(plan_doubled_threads(request_to_double("doubled-threads"), profiled_.entry, run_.host),
                         Experiment::doubled_threads);
    input_.profile = measured(profile_request(profile_processes_of(options_), "profile"));
    bool gained = true;
    while (gained && may_look_again()) {
      const std::vector<Experiment> chosen = looks_.next_experiments();
      if (chosen.empty()) return;
      const std::int64_t before = clean_processes(input_.profile);
      looks_.go_on_with(chosen);
      add_processes(chosen);
      gained = clean_processes(input_.profile) > before;  // where all are discarded, further ones would be too
    }
  }

  LaunchRequest profile_request(std::int64_t processes, const std::string& folder) const {
    LaunchRequest request = request_of(Group::profile, folder);
    request.plan.timed_replicates = processes;
    request.profile_parts = options_.proving == Proving::off ? ProfileParts::observe : ProfileParts::all;
    request.trace_schedule = options_.trace_schedule;
    return request;
  }

  /// The request that measured `timed`, before one thing is doubled.
  LaunchRequest request_to_double(const std::string& folder) const {
    LaunchRequest request = request_of(Group::timed, folder);
    request.plan.steps = input_.timed.plan.steps;
    request.plan.timed_replicates = doubled_processes;
    request.plan.max_retries = 1;
    return request;
  }

  std::optional<Measurement> measured_doubled(const DoubledPlan& plan, Experiment experiment) {
    if (is_interrupted()) return std::nullopt;
    if (!plan.request) {
      looks_.leave_out(experiment, plan.absent);
      return std::nullopt;
    }
    planned_ += doubled_processes;
    return kept(measured(*plan.request), experiment);
  }

  /// A failed process says nothing about time, but the reason is kept.
  std::optional<Measurement> kept(Measurement measurement, Experiment experiment) {
    const std::string failure = first_failure(measurement);
    if (!failure.empty()) looks_.leave_out(experiment, failure);
    return clean_processes(measurement) > 0 ? std::optional(std::move(measurement)) : std::nullopt;
  }

  bool may_look_again() const { return !is_interrupted() && first_failure(input_.profile).empty(); }

  /// Joins a further measurement of group profile.
  void add_processes(const std::vector<Experiment>& chosen) {
    const std::int64_t first = std::ssize(input_.profile.replicates);
    planned_ += default_profile_processes;
    LaunchRequest request = profile_request(default_profile_processes, fmt::format("profile-{}", first));
    request.profile_parts = ProfileParts::experiments;  // the first ones observed the work and measured the machine
    request.experiments = chosen;
    request.trace_schedule.clear();
    join_further_processes(measured(request), input_.profile);
  }

  /// Further processes run the calls of the places that the earlier ones found costly, so that no cost is the largest
  /// of many by the same noise.
  void measure_call_costs() {
    const std::vector<const ProfileRun*> runs = observing_runs(input_.profile);
    if (runs.empty()) return;
    const std::vector<CallCost> places = costly_places(runs);
    LaunchRequest request = profile_request(repeat_processes_of(options_), "repeats");
    request.profile_parts = ProfileParts::repeats;
    request.trace_schedule.clear();
    request.repeats = repeated_places(places, *runs.front()->observed, {request.program, request.source_root});
    if (request.repeats.empty()) return;
    input_.call_costs = measured_call_costs({.places = places,
                                             .request = std::move(request),
                                             .further_processes = further_repeat_processes_of(options_),
                                             .ignore_margin = input_.ignore_margin,
                                             .measure = [this](const LaunchRequest& look) {
                                               planned_ += look.plan.timed_replicates;
                                               return measured(look);
                                             }});
  }

  ProfileResult finished() {
    if (!busy_ && input_.no_times.empty() && !input_.profile.replicates.empty()) input_.experiments = looks_.results();
    ProfileResult result{.profile = profile_case(input_)};
    Profile& profile = result.profile;
    profile.case_name = profiled_.entry.name;
    profile.runner_class = run_.project.runner_class;
    profile.utc = run_.project.start.utc;
    profile.commit = run_.project.commit;
    profile.params = options_.params;
    profile.processes = done_;
    profile.seconds = seconds_since(start_);
    profile.interrupted = is_interrupted();
    profile.stopped = profile.interrupted ? "" : stopped_;
    note_failed_process(profile);
    leave_out_later_phases(profile);
    add_observed(result);
    return result;
  }

  /// A failed process is only noted: fewer processes explain as well as they can. With fewer than two there is no
  /// interval.
  void note_failed_process(Profile& profile) const {
    const std::string failure = first_failure(input_.profile);
    if (failure.empty() || profile.interrupted) return;
    if (clean_processes(input_.profile) >= 2) {
      profile.absent["further processes"] = failure;
    } else if (profile.stopped.empty()) {
      profile.stopped = fmt::format("{}; the phases before it stand", failure);
    }
  }

  void leave_out_later_phases(Profile& profile) const {
    const auto leave_out = [&](const char* part) { profile.absent[part] = "not asked for: --phase"; };
    if (!goes_to(ProfilePhase::component)) {
      profile.components.clear();
      profile.memory.reset();
      profile.boundary_memory.clear();
      leave_out("components");
    }
    if (!goes_to(ProfilePhase::operators)) {
      profile.operators.clear();
      profile.without_formula.clear();
      profile.low_roofs.clear();
      leave_out("operators");
    }
  }

  void add_observed(ProfileResult& result) const {
    if (!goes_to(ProfilePhase::operators) || !input_.no_times.empty()) return;  // stacks are made of times
    for (const RunRecord* record : counted_records(input_.profile, Group::profile)) {
      if (!record->profile) continue;
      const ProfileRun& found = *record->profile;
      if (found.observed) result.observed.push_back(*found.observed);
      if (result.traces.empty() && !found.trace.empty()) result.traces = traces_of(folder_ / "profile" / found.trace);
    }
  }

  const Run& run_;
  ProfiledCase profiled_;
  const ProfileOptions& options_;
  fs::path folder_;
  ProfileInput input_;
  ExperimentLooks looks_{options_, input_};
  std::string stopped_;
  bool busy_ = false;  ///< stopped_ because the times of the baseline mean nothing
  std::int64_t done_ = 0;
  std::int64_t planned_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

ProfileResult run_phases(const Run& run, const ProfiledCase& profiled, const ProfileOptions& options) {
  return ProfilePhases(run, profiled, options).run();
}

}  // namespace stepgate
