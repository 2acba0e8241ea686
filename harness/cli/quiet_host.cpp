#include "cli/quiet_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include "core/error.h"
#include "environment/gpu_knobs.h"
#include "environment/host_plan.h"
#include "environment/process_knobs.h"
#include "environment/settled_knob.h"
#include "json/nearest_name.h"

namespace stepgate {
namespace {

constexpr std::array host_knob_names = {"interrupts",       "partition",       "governor",       "energy_preference",
                                        "frequency_limits", "turbo",           "numa_balancing", "nmi_watchdog",
                                        "cpu_idle",         "gpu_persistence", "gpu_clock",      "gpu_memory_clock"};

/// What only ablate takes for one knob.
constexpr std::array ablated_names = {"malloc", "process_mode", "host_mode"};

void refuse_unknown_knobs(const std::vector<std::string>& asked, bool ablating) {
  std::vector<std::string_view> known(host_knob_names.begin(), host_knob_names.end());
  if (ablating) known.insert(known.end(), ablated_names.begin(), ablated_names.end());
  known.insert(known.end(), process_knob_names.begin(), process_knob_names.end());
  for (const std::string& name : asked) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto nearest = nearest_name(name, known);
    throw Error(
        ErrorKind::usage, fmt::format("--knobs: there is no knob '{}'", name),
        fmt::format("{}all of them: stepgate doctor", nearest ? fmt::format("did you mean {}? ", *nearest) : ""));
  }
}

/// Process knobs that --knobs leaves out.
std::set<std::string> left_alone(const std::vector<std::string>& asked) {
  std::set<std::string> off;
  if (asked.empty()) return off;
  for (const std::string_view name : process_knob_names) {
    if (std::find(asked.begin(), asked.end(), name) == asked.end()) off.insert(std::string(name));
  }
  return off;
}

void tell(const HostGuard& guard) {
  const Recovery& before = guard.recovered();
  if (before.found) {
    fmt::print(stderr, "stepgate: an earlier run was killed; {} of its knobs put back{}\n", before.outcome.restored,
               before.rebooted ? " by the reboot since" : "");
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

std::string used_gpu(GpuDriver* driver) {
  if (driver == nullptr) return "";
  const auto gpus = driver->gpus();
  if (!gpus.value) return "";
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  for (const Gpu& gpu : *gpus.value) {
    if (visible != nullptr && gpu.uuid == visible) return gpu.uuid;
  }
  const bool chosen = visible != nullptr && *visible != '\0';  // an index or several: whose, only CUDA knows
  return gpus.value->size() == 1 && !chosen ? gpus.value->front().uuid : "";
}

CpuChoice cpus_for(const Context& context, const std::vector<ManifestCase>& cases) {
  CpuRequest wanted;
  wanted.allowed = context.guard.allowed.empty() ? allowed_cpus() : context.guard.allowed;
  for (const ManifestCase& entry : cases) {
    const std::int64_t threads = std::max<std::int64_t>(context.options.threads.value_or(1), entry.cpus);
    wanted.cores = std::max(wanted.cores, threads + (entry.device == "cuda" ? 1 : 0));
  }
  return choose_cpus(wanted);
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
  if (context.guard.mode == GuardMode::host) engage(context, cases, asked);
}

KnobPlan QuietHost::plan(const Context& context, const std::vector<ManifestCase>& cases) const {
  const CpuChoice cpus = cpus_for(context, cases);
  KnobPlan plan = plan_host_knobs(files_, {cpus.measured, cpus.siblings, cpus.housekeeping});
  const bool on_gpu =
      std::any_of(cases.begin(), cases.end(), [](const ManifestCase& entry) { return entry.device == "cuda"; });
  const std::string uuid = on_gpu ? used_gpu(nvml_.get()) : "";
  if (uuid.empty()) return plan;
  const Options& options = context.options;
  KnobPlan more = plan_gpu_knobs(*nvml_.get(), {uuid, options.gpu_clock, options.gpu_memory_clock});
  plan.changes.insert(plan.changes.end(), more.changes.begin(), more.changes.end());
  plan.settled.insert(plan.settled.end(), more.settled.begin(), more.settled.end());
  return plan;
}

void QuietHost::engage(Context& context, const std::vector<ManifestCase>& cases, const std::vector<std::string>& only) {
  guard_.reset();
  guard_ = HostGuard::engage({.host = {files_, nvml_.get()},
                              .state_folder = state_folder(context.options),
                              .command = fmt::format("stepgate {}", context.options.command),
                              .program = std::filesystem::read_symlink("/proc/self/exe"),
                              .only = only},
                             [&] { return plan(context, cases); });
  tell(*guard_);
  context.guard.mode = GuardMode::host;
  context.guard.host_knobs = guard_->reports();
  context.guard.partition = guard_->partition();
  context.guard.locked_gpu_clock_mhz = context.options.gpu_clock;
  context.guard.overwritten = [guard = guard_.get()] { return guard->overwritten(); };
}

void QuietHost::release(Context& context) {
  guard_.reset();
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
    report.reason.clear();
  }
  reports.insert(reports.end(), plan.settled.begin(), plan.settled.end());
  return reports;
}

}  // namespace stepgate
