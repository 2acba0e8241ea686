#include "diagnose/profile/profile_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/text/number_format.h"
#include "diagnose/census/observed_census.h"
#include "diagnose/profile/advice.h"
#include "diagnose/profile/bottleneck_kind.h"
#include "diagnose/profile/checklist.h"
#include "diagnose/profile/implausible_gains.h"
#include "diagnose/profile/kind_answers.h"
#include "diagnose/profile/step/account.h"
#include "diagnose/profile/step/device_timed_work.h"
#include "diagnose/profile/step/low_roofs.h"
#include "diagnose/profile/step/operator_table.h"
#include "diagnose/profile/step/roofline.h"
#include "diagnose/profile/step/step_means.h"
#include "diagnose/profile/step/step_statistics.h"

namespace stepgate {
namespace {

/// A process that was repeated is the reason only where nothing else is.
std::string why_no_process(const Measurement& measurement) {
  std::string of_repeated = "none ran";
  for (const Replicate& replicate : measurement.replicates) {
    if (counts_as_failed(replicate)) return replicate.failure->message;
    if (replicate.failure) {
      of_repeated = replicate.failure->message;
    } else if (!replicate.taint_reasons.empty()) {
      return "discarded: " + replicate.taint_reasons.front();
    }
  }
  return of_repeated;
}

void add_baseline(const ProfileInput& input, const Records& timed, Profile& profile) {
  profile.case_name = input.timed.case_name;
  profile.runner_class = input.timed.runner_class;
  profile.utc = input.timed.utc;
  profile.commit = input.timed.commit;
  profile.device = input.timed.plan.device;
  profile.threads = input.timed.plan.threads;
  profile.cpus = std::max(input.timed.plan.cpus, input.timed.plan.threads);
  profile.step = step_statistics(timed);
  profile.throughput = throughput_of(timed, profile.step.mean_ns);
  profile.components = component_times(timed);
}

/// Of the clean processes; where all were disturbed, of these.
std::vector<const ProfileRun*> runs_of(const Measurement& measurement) {
  std::vector<const ProfileRun*> runs;
  for (const RunRecord* record : counted_records(measurement, Group::profile)) {
    if (record->profile) runs.push_back(&*record->profile);
  }
  return runs;
}

/// The first that observed steps; null if none did.
const ProfileRun* observed_run(const Measurement& measurement) {
  for (const ProfileRun* run : runs_of(measurement)) {
    if (run->observed && run->observed->steps > 0) return run;
  }
  return nullptr;
}

/// The operators of the first process of group exact that counted them; null if none did.
const ObservedWork* counted_work(const Measurement& exact) {
  for (const RunRecord* record : clean_records(exact, Group::exact)) {
    if (record->counts && record->counts->observed) return &*record->counts->observed;
  }
  return nullptr;
}

/// Why operators have no lines of the user's code, and what gives them some.
void note_missing_lines(const ObservedWork& work, Profile& profile) {
  if (work.frames_from == FramesFrom::lines || work.not_lines.empty()) return;
  profile.absent["source lines"] =
      work.not_lines +
      "; build the perftest with -g1, as stepgate_add_perftest does by default, and measure where addr2line (binutils) "
      "is installed";
}

bool were_disturbed(const Measurement& profile) { return clean_records(profile, Group::profile).empty(); }

/// Peaks of a busy machine are no roofs.
void add_peaks(const ProfileInput& input, std::span<const ProfileRun* const> runs, Profile& profile) {
  const bool disturbed = were_disturbed(input.profile);
  if (!disturbed) profile.peaks = best_peaks(runs);
  if (are_known(profile.peaks)) return;
  profile.absent["roofs"] = disturbed ? "the processes that measured the peaks were disturbed"
                                      : "no process measured the peaks of this machine (--prove off, or a baseline "
                                        "that was disturbed)";
}

/// What the operator table is made of. On a GPU one process traced its kernels; the others called the same.
struct TimedRuns {
  TimedRuns(const ProfileInput& input, const std::vector<const ProfileRun*>& observed) : runs(observed) {
    if (!runs_on_gpu(input.timed)) return;
    by = OperatorTimes::host;
    const auto traced =
        std::ranges::find_if(observed, [](const ProfileRun* run) { return !run->device_times.empty(); });
    if (traced == observed.end()) return;
    by = OperatorTimes::device;
    on_device.reserve(observed.size());
    for (const ProfileRun*& run : runs) run = &on_device.emplace_back(with_device_times(*run, (*traced)->device_times));
  }

  TimedRuns(const TimedRuns&) = delete;  // it points into itself
  TimedRuns& operator=(const TimedRuns&) = delete;

  std::vector<const ProfileRun*> runs;
  std::vector<ProfileRun> on_device = {};
  OperatorTimes by = OperatorTimes::call;
};

void add_operators(const ProfileInput& input, Profile& profile) {
  const auto runs = runs_of(input.profile);
  const std::string why = "no clean process of group profile: " + why_no_process(input.profile);
  if (runs.empty()) {
    for (const char* part : {"operators", "peaks"}) profile.absent[part] = why;
    return;
  }
  for (const ProfileRun* run : runs) {
    for (const auto& [experiment, reason] : run->absent) profile.absent.try_emplace(experiment, reason);
  }
  if (were_disturbed(input.profile)) {
    profile.absent["times of operators"] =
        why_no_process(input.profile) + ": calls, sizes, bytes and lines hold, times are those of a busy machine";
  }
  add_peaks(input, runs, profile);
  const TimedRuns timed(input, runs);
  if (timed.by == OperatorTimes::host) profile.absent["roofs of operators"] = times_of_the_host;
  profile.operator_times = timed.by;
  const MachinePeaks roofs = roofs_of(profile);
  OperatorTable table = operator_table(timed.runs, roofs, profile.step.mean_ns, counted_work(input.exact));
  profile.operators = std::move(table.rows);
  profile.without_formula = std::move(table.without_formula);
  profile.low_roofs = low_roofs(profile.operators, roofs);
  profile.flops = table.flops;
  profile.observer_overhead = observer_overhead(runs);
  if (const ProfileRun* run = observed_run(input.profile)) {
    profile.census = work_census(*run->observed);
    note_missing_lines(*run->observed, profile);
  }
  if (profile.operators.empty()) profile.absent["operators"] = "no process observed a step";
}

void add_memory(const ProfileInput& input, Profile& profile) {
  for (const RunRecord* record : clean_records(input.exact, Group::exact)) {
    if (record->memory && record->memory->ledger) profile.memory = record->memory->ledger;
    if (record->memory) profile.boundary_memory = record->memory->by_boundary;
  }
  if (!profile.memory) profile.absent["memory"] = "no clean process of group exact recorded a ledger";
}

bool uses_tf32(const Records& timed) {
  return std::ranges::any_of(timed, [](const RunRecord* record) {
    const auto fact = record->fingerprint.find("tf32_matmul");
    return fact != record->fingerprint.end() && fact->second == "on";
  });
}

/// An experiment that some processes could not run, and others did, is not missing.
void leave_out_what_ran(Profile& profile) {
  for (const ExperimentResult& result : profile.experiments) {
    if (result.processes > 0) profile.absent.erase(std::string(name_of(result.experiment)));
  }
}

/// What times say. The times of disturbed processes say nothing.
void explain_times(const ProfileInput& input, const Records& timed, Profile& profile) {
  const std::vector<OperatorRow> none;
  profile.account = time_account({.timed = timed,
                                  .operators = were_disturbed(input.profile) ? none : profile.operators,
                                  .peaks = profile.peaks,
                                  .step_ns = profile.step.mean_ns,
                                  .gpu = runs_on_gpu(input.timed)});
  profile.experiments = input.experiments;
  refute_gains_of_small_boundaries(input, profile.experiments);  // first: a gain that is doubted stays undecided
  doubt_implausible_gains(profile, input.ignore_margin);
  profile.call_costs = input.call_costs;
  KindVerdicts kinds = bottleneck_verdicts({input, profile});
  profile.bottlenecks = std::move(kinds.verdicts);
  profile.absent.merge(kinds.absent);
  leave_out_what_ran(profile);
}

/// Each part that is a time is absent, with that reason in place of what a failure would say.
void leave_out_times(const std::string& why, Profile& profile) {
  profile.stopped.clear();
  for (const char* part : {"step", "throughput", "kind of bottleneck", "experiments", "times of boundaries", "roofs",
                           "times of operators", "what calls cost", "advice"})  // it is sorted by what a mend wins
    profile.absent[part] = why;
  profile.absent.erase("roofs of operators");
  profile.operator_times = OperatorTimes::none;
}

}  // namespace

std::string why_stopped(const Measurement& timed) {
  const Records records = clean_records(timed, Group::timed);
  if (records.empty()) return "the baseline has no clean process: " + why_no_process(timed);
  std::size_t unsteady = 0;
  std::string reason;
  for (const RunRecord* record : records) {
    if (!record->warmup || record->warmup->steady) continue;
    ++unsteady;
    if (reason.empty() && !record->warmup->reasons.empty()) reason = record->warmup->reasons.front();
  }
  if (2 * unsteady > records.size()) {
    return fmt::format("the step is not steady: {} ({} of {} processes)", reason, unsteady, records.size());
  }
  if (step_statistics(records).steps == 0) return "the baseline has no timed step: every one met a new shape";
  return "";
}

Profile profile_case(const ProfileInput& input) {
  const Records timed = clean_records(input.timed, Group::timed);
  Profile profile;
  add_baseline(input, timed, profile);
  profile.stopped = why_stopped(input.timed);
  add_operators(input, profile);
  add_memory(input, profile);
  const bool has_times = input.no_times.empty();
  if (!has_times) leave_out_times(input.no_times, profile);
  if (has_times && profile.stopped.empty()) explain_times(input, timed, profile);
  const Records switched = has_times ? timed : clean_records(input.exact, Group::exact);
  profile.advice = advice_for({profile, observed_run(input.profile), input.ignore_margin, uses_tf32(switched)});
  profile.checklist = checklist_for(input, profile);
  return profile;
}

}  // namespace stepgate
