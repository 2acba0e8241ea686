#include "experiment/host/quiet_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/host/ablated_name.h"
#include "core/host/process_knob.h"
#include "core/text/number_format.h"
#include "environment/knobs/host_knobs.h"
#include "environment/process/child_environment.h"
#include "environment/process/process_knobs.h"
#include "experiment/host/offer_notice.h"
#include "experiment/host/recovery_notices.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

void refuse_unknown_knobs(const std::vector<std::string>& asked, bool ablating) {
  std::vector<std::string_view> known;
  for (const HostKnob& knob : host_knobs()) known.push_back(knob.name);
  if (ablating) known.insert(known.end(), {malloc_knob, whole_process_mode, whole_host_mode});
  known.insert(known.end(), process_knob_names.begin(), process_knob_names.end());
  for (const std::string& name : asked) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto nearest = nearest_name(name, known);
    throw Error(ErrorKind::usage, fmt::format("--knobs: there is no knob '{}'", name),
                fmt::format("{}all of them: {}", nearest ? fmt::format("did you mean {}? ", *nearest) : "",
                            fmt::join(known, ", ")));
  }
}

bool names_one(const std::vector<std::string>& asked, std::string_view name) {
  return std::find(asked.begin(), asked.end(), name) != asked.end();
}

/// Process knobs that --knobs leaves out. If --knobs names no process knob, it is about the host's knobs alone.
std::set<std::string> left_alone(const std::vector<std::string>& asked) {
  std::set<std::string> off;
  const bool any = std::any_of(process_knob_names.begin(), process_knob_names.end(),
                               [&](std::string_view name) { return names_one(asked, name); });
  if (!any) return off;
  for (const std::string_view name : process_knob_names) {
    if (!names_one(asked, name)) off.insert(std::string(name));
  }
  return off;
}

Notice stale_journal_notice() {
  return {Severity::warning, "an earlier run was killed and left host knobs changed",
          "stepgate recover (or --guard host, which begins with it)"};
}

std::vector<Notice> unrestored_notices(const Recovery& recovery) {
  std::vector<Notice> notices = conflict_notices(recovery);
  for (Notice& notice : failure_notices(recovery)) notices.push_back(std::move(notice));
  return notices;
}

/// The clock at which the driver has locked the GPU. A refused wish does not tell the clock.
std::optional<std::int64_t> locked_clock(const std::vector<KnobReport>& reports, const HostOptions& options) {
  const auto clock = std::find_if(reports.begin(), reports.end(), [](const KnobReport& one) {
    return one.name == "gpu_clock" && one.state == KnobState::achieved;
  });
  return clock == reports.end() ? std::nullopt : options.gpu_clock_mhz;
}

/// What the guard found and what it could not set.
std::vector<Notice> guard_notices(const HostGuard& guard) {
  std::vector<Notice> notices;
  const Recovery& before = guard.recovered();
  if (before.found) {
    notices.push_back(
        {Severity::warning, fmt::format("an earlier run was killed; {} of its knobs restored{}",
                                        before.outcome.restored, before.rebooted ? " by the reboot after it" : "")});
    for (Notice& notice : unrestored_notices(before)) notices.push_back(std::move(notice));
  }
  for (const KnobReport& knob : guard.reports()) {
    if (knob.state == KnobState::achieved || knob.state == KnobState::already || knob.state == KnobState::unsupported ||
        knob.state == KnobState::available) {
      continue;
    }
    notices.push_back(
        {Severity::warning,
         fmt::format("{}: {}{}{}", knob.name, name_of(knob.state), knob.reason.empty() ? "" : ": ", knob.reason),
         knob.remedy});
  }
  return notices;
}

/// Plans the knobs of one more GPU. A knob that cannot be set there is reported as for the first GPU.
void add_gpu_changes(const HostFiles& files, const HostWishes& wishes, KnobPlan& plan) {
  for (const HostKnob& knob : host_knobs()) {
    if (!knob.of_gpu) continue;
    for (KnobChange& change : plan_of(knob, files, wishes).changes) plan.changes.push_back(std::move(change));
  }
}

/// Its answers would be taken for those of the GPUs of this machine.
void refuse_left_over_emulation() {
  if (!has_emulated_driver()) return;
  throw Error(ErrorKind::measure,
              "the driver's library that was found is that of an emulated GPU, and no emulated GPU was asked for",
              "give --device emulated:MODEL, or take its folder out of LD_AUDIT, LD_PRELOAD and LD_LIBRARY_PATH");
}

/// Another run's guard holds the lock, or its watchdog, which puts everything back within seconds.
Notice guard_held_notice(const LockHolder& holder) {
  return {Severity::note, fmt::format("waiting for the guard of another run: {}", text_of(holder))};
}

}  // namespace

GpuOffer offered_here(const NvmlLibrary& nvml) {
  if (nvml.get() == nullptr) return {.kind = GpuOfferKind::ask_child, .reason = nvml.reason()};
  const auto listed = nvml.get()->gpus();
  if (!listed.value) return {.kind = GpuOfferKind::ask_child, .reason = listed.reason};
  return offered_gpus(*listed.value, own_environment());
}

GpuOffer offered_by(const NvmlLibrary& nvml, const EmulatedDevice& device) {
  const auto refuse = [](const std::string& reason) {
    throw Error(ErrorKind::measure, "the driver of the emulated GPU does not answer: " + reason,
                "build the target emulated_gpu again");
  };
  if (nvml.get() == nullptr) refuse(nvml.reason());
  const auto listed = nvml.get()->gpus();
  if (!listed.value) refuse(listed.reason);
  GpuOffer offer = offered_gpus(*listed.value, {});
  offer.source = "--device " + text_of(device);
  return offer;
}

std::optional<Gpu> first_of(const GpuOffer& offer) {
  return offer.gpus.empty() ? std::nullopt : std::optional(offer.gpus.front().gpu);
}

std::int64_t most_gpus(const std::vector<ManifestCase>& cases) {
  std::int64_t most = 0;
  for (const ManifestCase& entry : cases) most = std::max(most, entry.gpus);
  return most;
}

CpuChoice cpus_for(const MeasuredHost& host, const HostUse& use) {
  CpuRequest wanted;
  if (host.gpu) wanted.gpu_pci_bus_id = host.gpu->pci_bus_id;
  wanted.allowed = host.guard.allowed.empty() ? allowed_cpus() : host.guard.allowed;
  for (const ManifestCase& entry : use.cases) {
    const std::int64_t threads = std::max<std::int64_t>(use.threads, entry.cpus);
    wanted.cores = std::max(wanted.cores, threads + (entry.device == Device::cuda ? 1 : 0));
  }
  return choose_cpus(wanted);
}

HostWishes wishes_for(const HostOptions& options, const CpuChoice& cpus, const WishedGpu& gpu) {
  HostWishes wishes{cpus.measured, cpus.siblings, cpus.housekeeping};
  wishes.gpu.lock_clock_mhz = options.gpu_clock_mhz;
  wishes.gpu.lock_memory_clock_mhz = options.gpu_memory_clock_mhz;
  if (gpu.gpu) {
    wishes.gpu.driver = gpu.driver;
    wishes.gpu.uuid = gpu.gpu->uuid;
  }
  return wishes;
}

LockWait wait_for_machine(const HostOptions& options, const Caller& caller) {
  return {.limit_s = options.wait_lock_s,
          .interrupted = &caller.interrupted,
          .on_held = [&options, &caller](const LockHolder& holder) {
            caller.observer.on_notice(
                {Severity::note, fmt::format("waiting for another run on this machine: {}", text_of(holder)),
                 fmt::format("it has {} s to end (--wait-lock SECONDS); Ctrl-C ends the wait", options.wait_lock_s)});
          }};
}

QuietHost::QuietHost(const HostOptions& options, HostUse use, const Caller& caller)
    : options_(options),
      use_(std::move(use)),
      observer_(caller.observer),
      lock_(RunLock::acquire({options.run_lock,
                              fmt::format("stepgate {} ({})", use_.command, counted(use_.cases.size(), "case")),
                              wait_for_machine(options, caller)})),
      nvml_(use_.emulated ? open_emulated_driver(*use_.emulated) : NvmlLibrary::open()) {
  if (!use_.emulated) refuse_left_over_emulation();
  refuse_unknown_knobs(options.knobs, use_.command == "ablate");
  measured_.guard.mode = options.mode;
  measured_.guard.off = left_alone(options.knobs);
  measured_.guard.gpu = nvml_.get();
  measured_.guard.allowed = allowed_cpus();  // a partition takes its CPUs from everybody outside, this process too
  choose_gpus();
  if (options.mode == GuardMode::host) {
    engage(options.knobs, &caller.interrupted);
  } else if (left_by_dead_run(files_, options.state_folder)) {
    tell({stale_journal_notice()});
  }
}

QuietHost::~QuietHost() { put_back(); }

void QuietHost::tell(const std::vector<Notice>& notices) const {
  for (const Notice& notice : notices) observer_.on_notice(notice);
}

CpuChoice QuietHost::cpus() const { return cpus_for(measured_, use_); }

KnobPlan QuietHost::plan() const {
  HostWishes wishes = wishes_for(options_, cpus(), wished_gpu());
  KnobPlan plan = plan_host_knobs(files_, wishes);
  if (use_.emulated) return plan;
  const auto used = std::min(std::ssize(measured_.gpus.gpus), most_gpus(use_.cases));
  for (std::int64_t rank = 1; rank < used; ++rank) {
    wishes.gpu.uuid = measured_.gpus.gpus[static_cast<std::size_t>(rank)].gpu.uuid;
    add_gpu_changes(files_, wishes, plan);
  }
  return plan;
}

WishedGpu QuietHost::wished_gpu() const {
  return use_.emulated ? WishedGpu{std::nullopt, nullptr} : WishedGpu{measured_.gpu, nvml_.get()};
}

void QuietHost::choose_gpus() {
  if (most_gpus(use_.cases) == 0) return;
  if (use_.emulated) {
    measured_.gpus = offered_by(nvml_, use_.emulated->device);
    return;  // no CPU is near it, and no knob is for it
  }
  measured_.gpus = offered_here(nvml_);
  const GpuOffer& offer = measured_.gpus;
  if (offer.kind == GpuOfferKind::wrong) throw Error(ErrorKind::usage, offer.reason, offer.remedy);
  measured_.gpu = first_of(offer);
  const bool none = offer.kind == GpuOfferKind::known && offer.gpus.empty();  // each skipped case says it
  const auto notice = offer_notice(offer);
  if (nvml_.get() != nullptr && notice && !none) tell({*notice});
}

void QuietHost::engage(const std::vector<std::string>& only) { engage(only, nullptr); }

void QuietHost::engage(const std::vector<std::string>& only, const std::atomic<int>* interrupted) {
  put_back();
  guard_ =
      HostGuard::engage({.host = {files_, wished_gpu().driver},
                         .state_folder = options_.state_folder,
                         .command = fmt::format("stepgate {}", use_.command),
                         .program = std::filesystem::read_symlink("/proc/self/exe"),
                         .only = only,
                         .wait = {.interrupted = interrupted,
                                  .on_held = [this](const LockHolder& holder) { tell({guard_held_notice(holder)}); }}},
                        [&] {
                          // The partition of a dead run, removed by now, had taken CPUs from this process.
                          CpuList& allowed = measured_.guard.allowed;
                          if (CpuList now = allowed_cpus(); now.size() > allowed.size()) allowed = std::move(now);
                          return plan();
                        });
  tell(guard_notices(*guard_));
  measured_.guard.mode = guard_->is_engaged() ? GuardMode::host : GuardMode::process;
  measured_.guard.host_knobs = guard_->reports();
  measured_.guard.partition = guard_->partition();
  measured_.guard.locked_gpu_clock_mhz = locked_clock(guard_->reports(), options_);
  measured_.guard.overwritten = [guard = guard_.get()] { return guard->overwritten(); };
}

void QuietHost::put_back() noexcept {
  if (!guard_) return;
  try {
    tell(unrestored_notices(guard_->release()));
  } catch (const std::exception& error) {
    observer_.on_notice({Severity::warning, error.what(), "stepgate recover"});
  }
  guard_.reset();
}

void QuietHost::release() {
  put_back();
  measured_.guard.mode = GuardMode::process;
  measured_.guard.host_knobs.clear();
  measured_.guard.partition.clear();
  measured_.guard.locked_gpu_clock_mhz.reset();
  measured_.guard.overwritten = {};
}

std::vector<KnobReport> QuietHost::host_knobs() const { return knobs_of(plan()); }

std::vector<KnobReport> knobs_of(const KnobPlan& plan) {
  std::vector<AppliedChange> as_if_applied;
  for (const KnobChange& change : plan.changes) as_if_applied.push_back({change, 0, change.wanted});
  std::vector<KnobReport> reports = knob_reports(as_if_applied);
  for (KnobReport& report : reports) {
    report.state = KnobState::available;
    report.after.clear();
    report.reason = find_host_knob(report.name)->sets;
  }
  reports.insert(reports.end(), plan.settled.begin(), plan.settled.end());
  return reports;
}

}  // namespace stepgate
