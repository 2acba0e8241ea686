#include "environment/guard/host_guard.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <utility>

#include "core/error.h"
#include "environment/guard/guard_lock.h"
#include "environment/knobs/cpu_idle_knob.h"
#include "environment/knobs/refusal_remedy.h"
#include "environment/process/paused_process.h"

namespace stepgate {
namespace {

/// A watchdog of an earlier run needs milliseconds, or its patience with a cgroup, to put everything back.
constexpr double lock_patience_s = 5;

bool is_asked_for(const std::vector<std::string>& only, const std::string& knob) {
  return only.empty() || std::find(only.begin(), only.end(), knob) != only.end();
}

/// Where only the governor is asked for, what it moves is written down and held, so that it is put back too.
void keep_what_is_asked_for(const std::vector<std::string>& only, KnobPlan& plan) {
  const bool sets_governor =
      is_asked_for(only, "governor") && std::any_of(plan.changes.begin(), plan.changes.end(),
                                                    [](const KnobChange& one) { return one.knob == "governor"; });
  std::erase_if(plan.changes, [&](const KnobChange& change) {
    return !is_asked_for(only, change.knob) && !(sets_governor && moves_with_governor(change.knob));
  });
  for (KnobChange& change : plan.changes) {
    if (!is_asked_for(only, change.knob)) change.wanted = change.original;
  }
  std::erase_if(plan.settled, [&](const KnobReport& report) { return !is_asked_for(only, report.name); });
}

JournalRun run_of(const GuardRequest& request) {
  const auto self = process_identity(request.host.files, ::getpid());
  return {.boot_id = boot_id(request.host.files),
          .pid = ::getpid(),
          .start_ticks = self ? std::atoll(self->start_ticks.c_str()) : 0,
          .utc = fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr))),
          .command = request.command,
          .boot_time_s = boot_time_s(request.host.files)};
}

}  // namespace

std::unique_ptr<HostGuard> HostGuard::engage(const GuardRequest& request, const std::function<KnobPlan()>& planner) {
  std::unique_ptr<HostGuard> guard(new HostGuard(request));
  std::vector<KnobChange> changes;
  const auto plan_now = [&] {
    KnobPlan plan = planner();
    keep_what_is_asked_for(request.only, plan);
    changes = std::move(plan.changes);
    guard->reports_ = std::move(plan.settled);
  };
  try {
    guard->recover_first();
    plan_now();
    guard->announce(request, changes);
  } catch (const Error& error) {
    if (changes.empty()) plan_now();
    std::erase_if(changes, [](const KnobChange& one) { return one.wanted == one.original; });  // held, not set
    guard->refuse_all(changes, error.what(), error.remedy());
    guard->is_engaged_ = false;
    return guard;
  }
  guard->apply_all(changes, request.only);
  guard->hold_cpus_awake();
  return guard;
}

HostGuard::~HostGuard() {
  try {
    release();
  } catch (const std::exception&) {
    // The journal stays, and the next run or `stepgate recover` reads it.
  }
}

void HostGuard::recover_first() {
  lock_ = lock_guard(state_folder_, lock_patience_s);
  recovered_ = recover(host_, state_folder_);
  if (recovered_.found && !recovered_.outcome.complete()) {
    throw Error(ErrorKind::measure, "what an earlier run changed could not be put back",
                "stepgate recover says what and why");
  }
}

void HostGuard::announce(const GuardRequest& request, const std::vector<KnobChange>& changes) {
  if (changes.empty()) return;
  JournalFile journal = JournalFile::create(state_folder_, run_of(request), changes);
  if (!request.program.empty()) {
    try {
      watchdog_ = Watchdog::start({request.program, state_folder_, lock_});
    } catch (const Error&) {
      journal.remove();
      throw;
    }
  }
  journal_.emplace(std::move(journal));
}

void HostGuard::apply_all(const std::vector<KnobChange>& changes, const std::vector<std::string>& only) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    AppliedChange done{.change = changes[i], .error = apply(host_, changes[i]), .after = {}};
    done.after = current_value(host_, changes[i]);
    if (done.error != 0) journal_->note_refused(i);
    if (done.error == 0 && done.after) journal_->note_applied(i, *done.after);
    applied_.push_back(std::move(done));
  }
  // Later writes may move what earlier ones set: what counts is what stands at the end.
  for (AppliedChange& done : applied_) done.after = current_value(host_, done.change);
  for (KnobReport& report : knob_reports(applied_)) {
    if (!is_asked_for(only, report.name)) continue;  // held beside the governor, not set
    if (report.error != 0) report.remedy = remedy_of(report);
    reports_.push_back(std::move(report));
  }
}

std::string HostGuard::remedy_of(const KnobReport& report) const {
  if (report.name.starts_with("gpu_")) {
    return report.error == EPERM ? run_as_root : "";
  }
  const auto refused = std::find_if(applied_.begin(), applied_.end(), [&](const AppliedChange& one) {
    return one.change.knob == report.name && one.error != 0;
  });
  return remedy_for_refusal(host_.files, refused->change.target, report.error);
}

void HostGuard::hold_cpus_awake() {
  const auto report = std::find_if(reports_.begin(), reports_.end(), [](const KnobReport& one) {
    return one.name == "cpu_idle" && one.state == KnobState::available;
  });
  if (report == reports_.end()) return;
  awake_ = Descriptor(::open(cpu_latency_file, O_RDWR | O_CLOEXEC));
  if (awake_.is_open()) errno = EIO;  // what a write that is cut short leaves
  const std::int32_t no_latency_us = 0;
  if (!awake_.is_open() || ::write(awake_.number(), &no_latency_us, sizeof no_latency_us) != sizeof no_latency_us) {
    report->state = KnobState::denied;
    report->error = errno;
    report->reason = fmt::format("{}: {}", cpu_latency_file, std::strerror(report->error));
    report->remedy = remedy_for_refusal(host_.files, cpu_latency_file, report->error);
    awake_.close();
    return;
  }
  std::int32_t aggregate_us = -1;
  static_cast<void>(::pread(awake_.number(), &aggregate_us, sizeof aggregate_us, 0) < 0);
  report->after = fmt::format("{} us", aggregate_us);
  report->state = aggregate_us == no_latency_us ? KnobState::achieved : KnobState::overridden;
}

void HostGuard::refuse_all(const std::vector<KnobChange>& changes, const std::string& why, const std::string& remedy) {
  std::vector<AppliedChange> refused;
  for (const KnobChange& change : changes) refused.push_back({.change = change, .error = ECANCELED, .after = {}});
  for (KnobReport report : knob_reports(refused)) {
    report.reason = "not touched: " + why;
    report.remedy = remedy;
    reports_.push_back(std::move(report));
  }
}

std::string HostGuard::partition() const {
  for (const AppliedChange& done : applied_) {
    if (done.change.kind == ChangeKind::folder && done.error == 0) return done.change.target;
  }
  return "";
}

std::vector<std::string> HostGuard::overwritten() const {
  std::vector<std::string> sentences;
  for (const AppliedChange& done : applied_) {
    if (!done.after) continue;
    const auto now = current_value(host_, done.change);
    if (now && same_value(done.change, *now, *done.after)) continue;
    sentences.push_back(fmt::format("{} of {} was {} and is {}", done.change.target, done.change.knob, *done.after,
                                    now.value_or("gone")));
  }
  return sentences;
}

Recovery HostGuard::release() {
  awake_.close();
  if (!journal_) return {};
  journal_.reset();
  applied_.clear();
  Recovery done = recover(host_, state_folder_);
  if (watchdog_) watchdog_->dismiss();
  lock_.close();
  return done;
}

}  // namespace stepgate
