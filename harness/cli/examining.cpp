#include "cli/examining.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/context.h"
#include "cli/quiet_host.h"
#include "core/error.h"
#include "environment/child_environment.h"
#include "environment/evidence_of.h"
#include "environment/gpu_cpus.h"
#include "environment/gpu_knobs.h"
#include "environment/host_fingerprint.h"
#include "environment/host_plan.h"
#include "environment/machine_place.h"
#include "environment/process_knobs.h"
#include "launch/child_process.h"
#include "launch/process_knob_request.h"

namespace stepgate {
namespace {

/// All cases of the manifest that --build names or that lies here; none where there is no build.
Context context_if_any(const Options& options) {
  try {
    return read_context(options);
  } catch (const Error&) {
    if (!options.build.empty()) throw;  // named, and not there: a mistake worth telling
    Context context;
    context.options = options;
    return context;
  }
}

/// Tried on a process that ends at once: the kernel says better than any rule of ours what it allows.
std::vector<KnobReport> tried_process_knobs(const CpuChoice& cpus) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const ProcessKnobRequest wanted = process_knob_request(LaunchGuard{}, cpus);
  const ProcessRequest process{.command = {self, "--version"},
                               .environment = child_environment(own_environment(), {}),
                               .knobs = wanted,
                               .output = "/dev/null",
                               .timeout_s = 10,
                               .interrupted = nullptr};
  const ProcessResult result = run_process(process);
  std::vector<KnobReport> reports = process_knob_reports(wanted, result.knobs);
  for (KnobReport& report : reports) {
    if (report.state != KnobState::achieved) continue;
    report.state = KnobState::available;
    report.after.clear();
  }
  return reports;
}

void add(std::vector<KnobReport> more, std::vector<KnobReport>& to) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

EffectiveSetting setting(const std::string& flag, const std::string& value, const std::string& usual) {
  std::string variable = "STEPGATE_" + flag;
  for (char& letter : variable) letter = letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  const char* set = std::getenv(variable.c_str());
  const std::string source = set != nullptr && value == set ? variable : value == usual ? "default" : "--" + flag;
  return {flag, value, source};
}

void add_settings(const Context& context, DoctorReport& report) {
  const Options& o = context.options;
  report.settings = {
      setting("guard", o.guard, "process"),
      setting("state-dir", state_folder(o).string(), default_state_folder().string()),
      setting("runner-class", o.runner_class, "local"),
      {"build", context.manifest.path.empty() ? "none found" : context.manifest.path.parent_path().string(),
       o.build.empty() ? "looked for here and in build/release" : "--build"},
  };
}

void add_watched(const CpuChoice& cpus, DoctorReport& report) {
  const HostCounters counters = read_host_counters({"/", cpus.measured, cpus.siblings});
  report.unwatched = counters.absent;
  for (const char* key : {"steal_fraction", "foreign_busy_fraction", "interrupt_fraction", "runqueue_wait_fraction",
                          "quota_throttled_periods", "swap_pages", "numa_pages_migrated", "cpu_throttle_events",
                          "memory_stall_fraction", "affinity_changed", "cpu_offline"}) {
    if (!report.unwatched.contains(key)) report.watched.emplace_back(key);
  }
}

/// Whether kernel and driver agree on the CPUs near the GPU.
void add_locality(GpuDriver& driver, const std::string& uuid, DoctorReport& report) {
  const auto gpus = driver.gpus();
  for (const Gpu& gpu : gpus.value.value_or(std::vector<Gpu>{})) {
    if (gpu.uuid != uuid) continue;
    const GpuCpus near = cpus_near_gpu(driver, gpu, SystemFiles("/"));
    if (near.disagree || !near.by_kernel) report.warnings.push_back(near.reason);
  }
}

void add_gpu(const Options& options, DoctorReport& report) {
  const NvmlLibrary nvml = NvmlLibrary::open();
  const std::string uuid = used_gpu(nvml.get());
  if (nvml.get() == nullptr) {
    report.unwatched["gpu"] = nvml.reason();
    return;
  }
  if (uuid.empty()) {
    report.warnings.emplace_back(
        "several GPUs, or none: name one in CUDA_VISIBLE_DEVICES by its UUID to have it looked at");
    return;
  }
  report.watched.emplace_back("gpu");
  add(knobs_of(plan_gpu_knobs(*nvml.get(), {uuid, options.gpu_clock, options.gpu_memory_clock})), report.knobs);
  add_locality(*nvml.get(), uuid, report);
}

void add_cpus(const CpuChoice& cpus, DoctorReport& report) {
  report.measured_cpus = text_of(cpus.measured);
  report.siblings = text_of(cpus.siblings);
  report.housekeeping = text_of(cpus.housekeeping);
  report.cpu_reason = cpus.reason;
  if (cpus.degraded) report.warnings.push_back(cpus.reason);
}

}  // namespace

DoctorReport examine(const Options& options) {
  const Context context = context_if_any(options);
  const CpuChoice cpus = cpus_for(context, context.manifest.cases);
  const SystemFiles files("/");
  DoctorReport report;
  report.place = machine_place(files);
  report.host = host_fingerprint("/");
  add_cpus(cpus, report);
  report.knobs = tried_process_knobs(cpus);
  add(knobs_of(plan_host_knobs(files, {cpus.measured, cpus.siblings, cpus.housekeeping})), report.knobs);
  add_gpu(options, report);
  add_settings(context, report);
  add_watched(cpus, report);
  report.stale_journal = std::filesystem::exists(journal_path(state_folder(options)));
  return report;
}

}  // namespace stepgate
