#include "experiment/quiet_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/host/process_knob.h"
#include "core/study/ablation.h"
#include "environment/knobs/host_knobs.h"
#include "experiment/unrestored.h"
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

/// Process knobs that --knobs leaves out. One that names none of them is about the host's alone.
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

void warn_of_stale_journal(const HostFiles& files, const Options& options) {
  if (!left_by_dead_run(files, state_folder(options))) return;
  fmt::print(stderr,
             "stepgate: an earlier run was killed and left host knobs changed\n"
             "  next: stepgate recover (or --guard host, which begins with it)\n");
}

void tell_unrestored(const Recovery& recovery) {
  print_conflicts(stderr, recovery);
  print_failures(recovery);
}

/// Where the driver has locked it: a wish that was refused says nothing of the clock.
std::optional<std::int64_t> locked_clock(const std::vector<KnobReport>& reports, const Options& options) {
  const auto clock = std::find_if(reports.begin(), reports.end(), [](const KnobReport& one) {
    return one.name == "gpu_clock" && one.state == KnobState::achieved;
  });
  return clock == reports.end() ? std::nullopt : options.gpu_clock;
}

void tell(const HostGuard& guard) {
  const Recovery& before = guard.recovered();
  if (before.found) {
    fmt::print(stderr, "stepgate: an earlier run was killed; {} of its knobs put back{}\n", before.outcome.restored,
               before.rebooted ? " by the reboot since" : "");
    tell_unrestored(before);
  }
  for (const KnobReport& knob : guard.reports()) {
    if (knob.state == KnobState::achieved || knob.state == KnobState::already || knob.state == KnobState::unsupported ||
        knob.state == KnobState::available) {
      continue;
    }
    fmt::print(stderr, "stepgate: {}: {}{}{}\n", knob.name, name_of(knob.state), knob.reason.empty() ? "" : ": ",
               knob.reason);
    if (!knob.remedy.empty()) fmt::print(stderr, "  next: {}\n", knob.remedy);
  }
}

}  // namespace

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream stream(text);
  for (std::string name; std::getline(stream, name, ',');) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

std::filesystem::path state_folder(const Options& options) {
  return std::filesystem::absolute(options.state_folder.empty() ? default_state_folder() : options.state_folder);
}

std::optional<Gpu> used_gpu(GpuDriver* driver) {
  if (driver == nullptr) return std::nullopt;
  const auto gpus = driver->gpus();
  if (!gpus.value) return std::nullopt;
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  for (const Gpu& gpu : *gpus.value) {
    if (visible != nullptr && gpu.uuid == visible) return gpu;
  }
  const bool is_the_only_one = gpus.value->size() == 1 && (visible == nullptr || std::strcmp(visible, "0") == 0);
  return is_the_only_one ? std::optional(gpus.value->front()) : std::nullopt;
}

void choose_gpu(Context& context, const std::vector<ManifestCase>& cases, GpuDriver* driver) {
  const bool on_gpu =
      std::any_of(cases.begin(), cases.end(), [](const ManifestCase& entry) { return entry.device == "cuda"; });
  context.gpu = on_gpu ? used_gpu(driver) : std::nullopt;
}

CpuChoice cpus_for(const Context& context, const std::vector<ManifestCase>& cases) {
  CpuRequest wanted;
  if (context.gpu) wanted.gpu_pci_bus_id = context.gpu->pci_bus_id;
  wanted.allowed = context.guard.allowed.empty() ? allowed_cpus() : context.guard.allowed;
  for (const ManifestCase& entry : cases) {
    const std::int64_t threads = std::max<std::int64_t>(context.options.threads.value_or(1), entry.cpus);
    wanted.cores = std::max(wanted.cores, threads + (entry.device == "cuda" ? 1 : 0));
  }
  return choose_cpus(wanted);
}

HostWishes wishes_for(const Context& context, const CpuChoice& cpus, GpuDriver* driver) {
  const Options& options = context.options;
  HostWishes wishes{cpus.measured, cpus.siblings, cpus.housekeeping};
  wishes.gpu.lock_clock_mhz = options.gpu_clock;
  wishes.gpu.lock_memory_clock_mhz = options.gpu_memory_clock;
  if (context.gpu) {
    wishes.gpu.driver = driver;
    wishes.gpu.uuid = context.gpu->uuid;
  }
  return wishes;
}

QuietHost::QuietHost(Context& context, const std::vector<ManifestCase>& cases)
    : lock_(RunLock::acquire({default_run_lock_path(),
                              fmt::format("stepgate {} ({} cases)", context.options.command, cases.size()),
                              context.options.wait_lock_s})),
      nvml_(NvmlLibrary::open()) {
  const Options& options = context.options;
  const std::vector<std::string> asked = listed(options.knobs);
  refuse_unknown_knobs(asked, options.command == "ablate");
  context.guard.mode = guard_mode_named(options.guard).value_or(GuardMode::process);
  context.guard.off = left_alone(asked);
  context.guard.gpu = nvml_.get();
  context.guard.allowed = allowed_cpus();  // a partition takes its CPUs from everybody outside, this process too
  choose_gpu(context, cases, nvml_.get());
  if (context.guard.mode == GuardMode::host) {
    engage(context, cases, asked);
  } else {
    warn_of_stale_journal(files_, options);
  }
}

QuietHost::~QuietHost() { put_back(); }

KnobPlan QuietHost::plan(const Context& context, const std::vector<ManifestCase>& cases) const {
  return plan_host_knobs(files_, wishes_for(context, cpus_for(context, cases), nvml_.get()));
}

void QuietHost::engage(Context& context, const std::vector<ManifestCase>& cases, const std::vector<std::string>& only) {
  put_back();
  guard_ = HostGuard::engage({.host = {files_, nvml_.get()},
                              .state_folder = state_folder(context.options),
                              .command = fmt::format("stepgate {}", context.options.command),
                              .program = std::filesystem::read_symlink("/proc/self/exe"),
                              .only = only},
                             [&] {
                               // A dead run's partition, gone by now, had taken CPUs from us.
                               if (CpuList now = allowed_cpus(); now.size() > context.guard.allowed.size()) {
                                 context.guard.allowed = std::move(now);
                               }
                               return plan(context, cases);
                             });
  tell(*guard_);
  context.guard.mode = guard_->is_engaged() ? GuardMode::host : GuardMode::process;
  context.guard.host_knobs = guard_->reports();
  context.guard.partition = guard_->partition();
  context.guard.locked_gpu_clock_mhz = locked_clock(guard_->reports(), context.options);
  context.guard.overwritten = [guard = guard_.get()] { return guard->overwritten(); };
}

void QuietHost::put_back() noexcept {
  if (!guard_) return;
  try {
    tell_unrestored(guard_->release());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stepgate: %s\n  next: stepgate recover\n", error.what());
  }
  guard_.reset();
}

void QuietHost::release(Context& context) {
  put_back();
  context.guard.mode = GuardMode::process;
  context.guard.host_knobs.clear();
  context.guard.partition.clear();
  context.guard.locked_gpu_clock_mhz.reset();
  context.guard.overwritten = {};
}

std::vector<KnobReport> QuietHost::host_knobs(const Context& context, const std::vector<ManifestCase>& cases) const {
  return knobs_of(plan(context, cases));
}

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
