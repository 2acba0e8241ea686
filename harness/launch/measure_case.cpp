#include "launch/measure_case.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "environment/facts/host_fingerprint.h"
#include "environment/process/cpu_choice.h"
#include "launch/emulated/hazard_run.h"
#include "launch/emulated/value_need.h"
#include "launch/replicate/found_gpus.h"
#include "launch/replicate/replicate_gpus.h"
#include "launch/replicate/replicate_request.h"
#include "launch/replicate/run_replicate.h"
#include "launch/schedule.h"
#include "launch/source_lines.h"
#include "launch/window_length.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

using Clock = std::chrono::steady_clock;

/// Moves the calling thread to the housekeeping CPUs and back.
class HousekeepingStay {
 public:
  HousekeepingStay(const CpuList& home, const CpuList& housekeeping) : home_(home) {
    // A refused move costs some noise at worst, and the evidence shows it.
    if (!housekeeping.empty()) static_cast<void>(AffinityMask(housekeeping).apply_to_calling_thread());
  }
  HousekeepingStay(const HousekeepingStay&) = delete;
  HousekeepingStay& operator=(const HousekeepingStay&) = delete;
  ~HousekeepingStay() { static_cast<void>(home_.apply_to_calling_thread()); }

 private:
  AffinityMask home_;
};

/// One core per thread, or what the case declares for loader workers and ranks. On a GPU one more: autograd runs
/// backward on a thread of its own per device, beside the main thread.
std::int64_t cores_needed(const Plan& plan, Group group) {
  const std::int64_t declared = group == Group::timed ? plan.cpus : 0;
  return std::max(threads_of(plan, group), declared) + (plan.device == Device::cuda ? 1 : 0);
}

/// The CPUs on which other processes disturb.
CpuList seen_by(const CpuChoice& cpus) {
  CpuList all = cpus.measured;
  all.insert(all.end(), cpus.siblings.begin(), cpus.siblings.end());
  return all;
}

/// All processes of one case, one after another.
class CaseReplicates {
 public:
  /// Changes the step counts of `request`'s plan where windows are too short.
  CaseReplicates(LaunchRequest& request, const LaunchCallbacks& callbacks)
      : request_(request), callbacks_(callbacks), slots_(schedule_of(request.plan, request.groups)) {
    choose(request.guard.allowed.empty() ? allowed_cpus() : request.guard.allowed);
  }

  std::vector<Replicate> run() {
    const bool quiet = request_.guard.mode != GuardMode::observe;
    const HousekeepingStay stay(allowed_, quiet ? cpus_of(Group::timed).housekeeping : CpuList{});
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      if (stopped_.contains(slots_[at].group)) continue;
      if (!run_slot(at)) break;
    }
    return std::move(replicates_);
  }

  const CpuChoice& cpus_of(Group group) const { return group == Group::exact ? exact_cpus_ : timed_cpus_; }

 private:
  void choose(CpuList allowed) {
    allowed_ = std::move(allowed);
    CpuRequest wanted;
    wanted.allowed = allowed_;
    wanted.gpu_pci_bus_id = request_.gpu_pci_bus_id;
    wanted.cores = cores_needed(request_.plan, Group::exact);
    exact_cpus_ = choose_cpus(wanted);
    wanted.cores = cores_needed(request_.plan, Group::timed);
    timed_cpus_ = choose_cpus(wanted);
  }

  bool is_interrupted() const { return callbacks_.interrupted != nullptr && callbacks_.interrupted->load() != 0; }

  /// Runs the slot's process and its repetitions after taint. False: interrupted, so nothing more may start.
  bool run_slot(std::size_t at) {
    std::int64_t last_attempt = request_.plan.max_retries;
    bool repeated = false;
    for (std::int64_t attempt = 0; attempt <= last_attempt; ++attempt) {
      const ReplicateRequest wanted{.launch = request_,
                                    .cpus = cpus_of(slots_[at].group),
                                    .group = slots_[at].group,
                                    .index = slots_[at].index,
                                    .attempt = attempt,
                                    .interrupted = callbacks_.interrupted,
                                    .places = &places_};
      if (is_interrupted()) {
        replicates_.push_back(interrupted_before_start(wanted));
        return false;
      }
      tell(at, attempt);
      const DisturbanceWatch watch(callbacks_.on_discarded && wanted.group != Group::exact);
      const auto start = Clock::now();
      Replicate& done = replicates_.emplace_back(run_replicate(wanted));
      if (request_.gpus.empty()) request_.gpus = take_found_gpus(request_, done);
      if (lengthens_windows(done)) {
        replicates_.pop_back();
        --attempt;
        continue;
      }
      estimate_.add(done.group, seconds_since(start));
      if (done.failure && done.failure->kind == FailureKind::infrastructure && !repeated) {
        repeated = true;
        last_attempt = std::max(last_attempt, attempt + 1);
        set_aside_failure(done);
        continue;
      }
      if (!done.failure) note_need_of_values(wanted, done);
      if (done.failure) return note_failure(done);
      const bool clean = done.taint_reasons.empty();
      if (!clean) tell_discarded(done, watch);
      if (note_process(done.group, clean) || clean) break;
    }
    return true;
  }

  /// Once for all processes of a measurement. Counts that depend on numbers of the GPU are not those of the case.
  void note_need_of_values(const ReplicateRequest& wanted, Replicate& done) {
    if (request_.knows_need_of_values || done.group != Group::exact || !counts_without_values(request_)) return;
    request_.knows_need_of_values = true;
    done.failure = need_of_values(wanted);
    if (done.failure) done.record.reset();
  }

  /// The code is not known to be at fault, so the process runs once more. What it left stays on record.
  void set_aside_failure(Replicate& failed) const {
    failed.set_aside = fmt::format("infrastructure: {}", failed.failure->message);
    if (!callbacks_.on_discarded) return;
    callbacks_.on_discarded({.case_name = request_.case_name,
                             .group = failed.group,
                             .index = failed.index,
                             .attempt = failed.attempt,
                             .ended_unix_s = std::time(nullptr),
                             .reasons = {failed.set_aside},
                             .busiest = {}});
  }

  void tell_discarded(const Replicate& replicate, const DisturbanceWatch& watch) const {
    if (!callbacks_.on_discarded) return;
    callbacks_.on_discarded({.case_name = request_.case_name,
                             .group = replicate.group,
                             .index = replicate.index,
                             .attempt = replicate.attempt,
                             .ended_unix_s = std::time(nullptr),
                             .reasons = replicate.taint_reasons,
                             .busiest = watch.busiest(seen_by(cpus_of(replicate.group)))});
  }

  /// True: the group is given up. Nothing but evidence says so; no time has been read.
  bool note_process(Group group, bool clean) {
    ProcessCount& count = counts_[group];
    ++count.measured;
    count.clean += clean ? 1 : 0;
    if (group == Group::exact || !is_hopeless(request_.plan, request_.fewest_clean, count)) return false;
    stopped_.insert(group);
    if (group == Group::timed) stopped_.insert(Group::reference);
    if (callbacks_.on_given_up) callbacks_.on_given_up({request_.case_name, group, count.measured, count.clean});
    return true;
  }

  /// Decided once, by the first timed process: all processes of a measurement do the same work.
  bool lengthens_windows(const Replicate& done) {
    if (!request_.may_lengthen_windows || done.group != Group::timed || !done.record) return false;
    request_.may_lengthen_windows = false;
    const auto steps = lengthened_steps(*done.record);
    if (steps) request_.plan.steps.insert(steps->begin(), steps->end());
    return steps.has_value();
  }

  /// The others of the group would fail as well, and a reference says nothing without timed processes.
  bool note_failure(const Replicate& failed) {
    stopped_.insert(failed.group);
    if (failed.group == Group::timed) stopped_.insert(Group::reference);
    return failed.failure->kind != FailureKind::interrupted;
  }

  void tell(std::size_t at, std::int64_t attempt) const {
    if (!callbacks_.on_progress) return;
    callbacks_.on_progress({.case_name = request_.case_name,
                            .group = slots_[at].group,
                            .index = slots_[at].index,
                            .attempt = attempt,
                            .started = static_cast<std::int64_t>(at),
                            .planned = static_cast<std::int64_t>(slots_.size()),
                            .elapsed_s = seconds_since(start_),
                            .remaining_s = estimate_.remaining_s(slots_, at)});
  }

  LaunchRequest& request_;
  const LaunchCallbacks& callbacks_;
  std::vector<Slot> slots_;
  CpuList allowed_;
  CpuChoice exact_cpus_;
  CpuChoice timed_cpus_;
  Clock::time_point start_ = Clock::now();
  TimeEstimate estimate_;
  std::set<Group> stopped_;
  std::map<Group, ProcessCount> counts_;
  KnownPlaces places_;
  std::vector<Replicate> replicates_;
};

template <typename Refuse>
void check_plain_benchmark(const LaunchRequest& request, const Refuse& refuse) {
  if (request.benchmark.empty()) return;
  const auto wanted = [&](Group group) {
    return std::find(request.groups.begin(), request.groups.end(), group) != request.groups.end();
  };
  if (wanted(Group::exact)) refuse("a plain Google Benchmark program has no exact passes");
  if (!request.plan.params.empty()) refuse("a plain Google Benchmark program takes no parameters");
  if (wanted(Group::reference) && request.reference_program.empty()) {
    refuse("a plain Google Benchmark program has no reference case, and no perftest program is named for it");
  }
}

template <typename Refuse>
void check_emulated(const LaunchRequest& request, const Refuse& refuse) {
  if (!request.emulated && request.seeks_hazards) refuse("stream hazards are found on an emulated GPU alone");
  if (!request.emulated) return;
  if (request.device.value_or(request.plan.device) != Device::cuda) {
    refuse("it runs on the CPU, and an emulated GPU was asked for");
  }
  const bool only_exact = request.groups == std::vector<Group>{Group::exact};
  if (!only_exact) refuse("an emulated GPU has no times: group exact is all that it can run");
}

void check(const LaunchRequest& request) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::usage, fmt::format("cannot measure '{}': {}", request.case_name, what),
                "see `stepgate run --help`");
  };
  if (request.case_name.empty()) refuse("it has no case name");
  if (request.program.empty()) refuse("it has no program");
  if (request.groups.empty()) refuse("no group of passes is asked for");
  check_plain_benchmark(request, refuse);
  check_emulated(request, refuse);
  if (request.plan.threads < 1) refuse(fmt::format("{} threads", request.plan.threads));
  if (!(request.plan.timeout_s > 0)) refuse(fmt::format("a time limit of {} s", request.plan.timeout_s));
  if (request.plan.malloc_policy != "tuned" && request.plan.malloc_policy != "system") {
    refuse(fmt::format("malloc policy '{}' is neither tuned nor system", request.plan.malloc_policy));
  }
}

/// Makes paths absolute, since a child may change its folder, and takes the device from the field that names it.
LaunchRequest completed(const LaunchRequest& request) {
  LaunchRequest full = request;
  full.program = std::filesystem::absolute(request.program);
  full.out_dir = std::filesystem::absolute(request.out_dir);
  if (!request.reference_program.empty()) full.reference_program = std::filesystem::absolute(request.reference_program);
  if (!request.data_dir.empty()) full.data_dir = std::filesystem::absolute(request.data_dir);
  if (request.device) full.plan.device = *request.device;
  full.device = full.plan.device;
  std::error_code error;
  std::filesystem::create_directories(full.out_dir, error);
  if (error) {
    throw Error(ErrorKind::measure,
                fmt::format("cannot make the folder {}: {}", full.out_dir.string(), error.message()),
                "give another folder with --out");
  }
  return full;
}

/// What a measurement holds that could not begin.
std::vector<Replicate> unavailable_replicates(const LaunchRequest& request) {
  std::vector<Replicate> replicates;
  for (const Group group : request.groups) {
    Replicate replicate;
    replicate.group = group;
    replicate.failure = request.unavailable;
    replicates.push_back(std::move(replicate));
  }
  return replicates;
}

/// The host's settings belong to the measurement: other settings give other times.
std::string guard_fact(const LaunchGuard& guard) {
  std::string fact(name_of(guard.mode));
  for (const std::string& knob : guard.off) fact += " no-" + knob;
  if (guard.mode != GuardMode::host) return fact;
  for (const KnobReport& knob : guard.host_knobs) {
    if (knob.state == KnobState::achieved || knob.state == KnobState::already) fact += " " + knob.name;
  }
  return fact;
}

Fingerprint host_facts(const CpuChoice& cpus) {
  Fingerprint facts = host_fingerprint("/");
  facts["affinity"] = text_of(cpus.measured);
  facts["affinity_count"] = std::to_string(cpus.measured.size());
  facts["affinity_reason"] = cpus.reason;
  return facts;
}

}  // namespace

Measurement measure_case(const LaunchRequest& request, const LaunchCallbacks& callbacks) {
  check(request);
  LaunchRequest full = completed(request);
  const std::time_t now = std::time(nullptr);
  CaseReplicates run(full, callbacks);
  const bool only_exact = full.groups == std::vector<Group>{Group::exact};
  Measurement measurement{.case_name = full.case_name,
                          .runner_class = full.runner_class,
                          .utc = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)),
                          .unix_s = now,
                          .commit = full.commit,
                          .program = full.program.string(),
                          .plan = full.plan,
                          .host = host_facts(run.cpus_of(only_exact ? Group::exact : Group::timed)),
                          .guard = full.guard.mode,
                          .knobs = full.guard.host_knobs,
                          .replicates = {}};
  measurement.host["guard"] = guard_fact(full.guard);
  measurement.replicates = full.unavailable ? unavailable_replicates(full) : run.run();
  add_hazards(full, run.cpus_of(Group::exact), callbacks.interrupted, measurement);
  add_gpu_facts(full, measurement.host);  // the first process may have told which GPUs they are
  measurement.plan.steps = full.plan.steps;
  return measurement;
}

}  // namespace stepgate
