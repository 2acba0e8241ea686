#include "environment/guard/host_guard.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <exception>
#include <set>
#include <utility>

#include "core/error.h"
#include "environment/guard/guard_lock.h"
#include "environment/knobs/host_knobs.h"
#include "environment/knobs/refusal_remedy.h"
#include "environment/process/paused_process.h"

namespace stepgate {
namespace {

/// A watchdog of an earlier run restores everything within milliseconds, or seconds if it waits for a cgroup.
constexpr double lock_patience_s = 5;

bool is_asked_for(const std::vector<std::string>& only, const std::string& knob) {
  return only.empty() || std::find(only.begin(), only.end(), knob) != only.end();
}

/// The knobs that are asked for and have changes.
std::set<std::string_view> names_to_set(const std::vector<std::string>& only, const std::vector<KnobChange>& changes) {
  std::set<std::string_view> names;
  for (const std::string& name : only) {
    const auto belongs = [&](const KnobChange& change) { return change.knob == name; };
    if (std::any_of(changes.begin(), changes.end(), belongs)) names.insert(name);
  }
  return names;
}

/// Setting a knob can move others. Those are written down with the value they have, so that they are restored too.
void keep_what_is_asked_for(const std::vector<std::string>& only, KnobPlan& plan) {
  if (only.empty()) return;
  const std::set<std::string_view> set = names_to_set(only, plan.changes);
  std::erase_if(plan.changes, [&](const KnobChange& change) {
    return !is_asked_for(only, change.knob) && !set.contains(mover_of(change.knob));
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
    guard->recover_first(request);
    plan_now();
    guard->announce(request, changes);
  } catch (const Error& error) {
    if (changes.empty()) plan_now();
    std::erase_if(changes, [](const KnobChange& one) { return one.wanted == one.original; });  // written down, not set
    guard->refuse_all(changes, error.what(), error.remedy());
    guard->is_engaged_ = false;
    return guard;
  }
  guard->apply_all(changes, request.only);
  guard->hold_open_all();
  return guard;
}

HostGuard::~HostGuard() {
  try {
    release();
  } catch (const std::exception&) {
    // The journal stays. The next run or `stepgate recover` reads it.
  }
}

void HostGuard::recover_first(const GuardRequest& request) {
  LockWait wait = request.wait;
  wait.limit_s = lock_patience_s;
  lock_ = lock_guard({state_folder_, request.command, std::move(wait)});
  recovered_ = recover(host_, state_folder_);
  if (recovered_.found && !recovered_.outcome.complete()) {
    throw Error(ErrorKind::measure, "the changes of an earlier run could not be restored",
                "run stepgate recover: it names each change and the reason");
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
  // A later write may move an earlier one: the values at the end count.
  for (AppliedChange& done : applied_) done.after = current_value(host_, done.change);
  for (KnobReport& report : knob_reports(applied_)) {
    if (!is_asked_for(only, report.name)) continue;  // written down because another knob moves it
    if (report.error != 0) report.remedy = remedy_of(report);
    reports_.push_back(std::move(report));
  }
}

std::string HostGuard::remedy_of(const KnobReport& report) const {
  const auto refused = std::find_if(applied_.begin(), applied_.end(), [&](const AppliedChange& one) {
    return one.change.knob == report.name && one.error != 0;
  });
  if (is_of_gpu(refused->change.kind)) return report.error == EPERM ? run_as_root : "";
  return remedy_for_refusal(host_.files, refused->change.target, report.error);
}

void HostGuard::hold_open_all() {
  for (KnobReport& report : reports_) {
    const HostKnob* knob = find_host_knob(report.name);
    if (knob == nullptr || knob->hold == nullptr || report.state != KnobState::available) continue;
    held_.push_back(knob->hold(host_.files, report));
  }
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
  held_.clear();
  if (!journal_) return {};
  journal_.reset();
  applied_.clear();
  Recovery done = recover(host_, state_folder_);
  if (watchdog_) watchdog_->dismiss();
  lock_.close();
  return done;
}

}  // namespace stepgate
