#include "experiment/studies/examine_host.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "environment/evidence/busy_processes.h"
#include "environment/evidence/evidence_of.h"
#include "environment/facts/find_host_kind.h"
#include "environment/facts/gpu_hindrances.h"
#include "environment/facts/host_fingerprint.h"
#include "environment/gpu/gpu_cpus.h"
#include "environment/gpu/gpu_facts.h"
#include "environment/guard/recovery.h"
#include "environment/knobs/host_knobs.h"
#include "environment/knobs/refusal_remedy.h"
#include "environment/process/child_environment.h"
#include "environment/process/process_knobs.h"
#include "experiment/host/offer_notice.h"
#include "launch/process/child_process.h"
#include "launch/process/process_knob_request.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

std::string what_it_sets(std::string_view process_knob) {
  for (const ProcessKnobRow& row : process_knob_rows) {
    if (row.name == process_knob) return std::string(row.sets);
  }
  return "";
}

/// Tries the knobs on a process that ends at once: the kernel knows better than any rule here what it allows.
std::vector<KnobReport> tried_process_knobs(const CpuChoice& cpus) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const ProcessKnobRequest wanted = process_knob_request(LaunchGuard{}, cpus);
  const ProcessRequest process{.command = {self, "--version"},
                               .environment = child_environment(own_environment(), {}),
                               .knobs = wanted,
                               .output = {},
                               .timeout_s = 10,
                               .interrupted = nullptr};
  const ProcessResult result = run_process(process);
  std::vector<KnobReport> reports = process_knob_reports(wanted, result.knobs);
  for (KnobReport& report : reports) {
    if (report.state != KnobState::achieved) continue;
    report.state = KnobState::available;
    report.after.clear();
    report.reason = what_it_sets(report.name);
  }
  return reports;
}

void add(std::vector<KnobReport> more, std::vector<KnobReport>& to) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void add_watched(const CpuChoice& cpus, DoctorReport& report) {
  const HostCounters counters = read_host_counters({"/", cpus.measured, cpus.siblings});
  for (const auto& [key, reason] : counters.absent) report.unwatched.emplace(name_of(key), reason);
  for (const EvidenceRow& row : evidence_rows) {
    if (row.doctor_checks && !counters.absent.contains(row.key)) report.watched.emplace_back(row.name);
  }
}

/// Whether kernel and driver agree on the CPUs near the GPU.
void add_locality(GpuDriver& driver, const Gpu& gpu, DoctorReport& report) {
  const GpuCpus near = cpus_near_gpu(driver, gpu, SystemFiles("/"));
  if (near.disagree || !near.by_kernel) report.warnings.push_back(near.reason);
}

/// A GPU's driver refuses a setting only when it is made: without root the knob is not available.
void deny_gpu_knobs_without_root(std::vector<KnobReport>& reports) {
  if (::geteuid() == 0) return;
  for (KnobReport& report : reports) {
    const HostKnob* knob = find_host_knob(report.name);
    if (report.state != KnobState::available || knob == nullptr || !knob->of_gpu) continue;
    report.state = KnobState::denied;
    report.error = EPERM;
    report.remedy = report.remedy.empty() ? run_as_root : fmt::format("{} {}", run_as_root, report.remedy);
  }
}

void add_gpu(const GpuOffer& offer, const NvmlLibrary& nvml, DoctorReport& report) {
  if (nvml.get() == nullptr) {
    report.unwatched["gpu"] = nvml.reason();
    return;
  }
  report.settings.push_back(gpu_setting(offer));
  if (const auto notice = offer_notice(offer)) {
    report.warnings.push_back(notice->next.empty() ? notice->text : fmt::format("{}; {}", notice->text, notice->next));
  }
  if (offer.gpus.empty()) return;
  report.watched.emplace_back("gpu");
  add_locality(*nvml.get(), offer.gpus.front().gpu, report);
}

void add_hindrances(DoctorReport& report) {
  for (std::string& text : gpu_hindrances(read_gpu_surroundings("/", report.host))) {
    report.warnings.push_back(std::move(text));
  }
}

/// What every measured process gets without asking the kernel for anything.
KnobReport fixed_environment() {
  return {.name = "environment",
          .mode = GuardMode::process,
          .state = KnobState::available,
          .reason = "threads, malloc thresholds, cuBLAS workspace and locale are the same for every process"};
}

KnobReport one_memory_node() {
  return {.name = std::string(name_of(ProcessKnob::memory_policy)),
          .mode = GuardMode::process,
          .state = KnobState::unsupported,
          .reason = "one node of memory: there is nothing to choose"};
}

void add_cpus(const CpuChoice& cpus, DoctorReport& report) {
  report.measured_cpus = text_of(cpus.measured);
  report.siblings = text_of(cpus.siblings);
  report.housekeeping = text_of(cpus.housekeeping);
  report.cpu_reason = cpus.reason;
  if (cpus.degraded) report.warnings.push_back(cpus.reason);
}

/// A shorter look misses processes that work in bursts.
constexpr double look_s = 1;

void add_busy(const ProcessTimes& before, std::chrono::steady_clock::time_point start, const CpuChoice& cpus,
              DoctorReport& report) {
  const double rest_s = look_s - seconds_since(start);
  if (rest_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(rest_s));
  CpuList places = cpus.measured;
  places.insert(places.end(), cpus.siblings.begin(), cpus.siblings.end());
  report.looked_s = seconds_since(start);
  report.busy =
      busiest_processes(before, read_process_times("/"),
                        {.wall_s = report.looked_s, .ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK))},
                        {.cpus = places, .self = ::getpid()});
}

/// A machine without a driver runs no case of a GPU, so their loader workers need no CPUs here.
HostUse possible_here(HostUse use, const NvmlLibrary& nvml) {
  if (nvml.get() == nullptr)
    std::erase_if(use.cases, [](const ManifestCase& one) { return one.device == Device::cuda; });
  return use;
}

}  // namespace

DoctorReport examine_host(const HostUse& all, const HostOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessTimes before = read_process_times("/");
  const NvmlLibrary nvml = NvmlLibrary::open();
  const HostUse use = possible_here(all, nvml);
  const GpuOffer offer = offered_here(nvml);
  const auto gpu = first_of(offer);  // looked at even if no case needs it
  const CpuChoice cpus = cpus_for({.gpu = most_gpus(use.cases) > 0 ? gpu : std::nullopt, .guard = {}}, use);
  const SystemFiles files("/");
  DoctorReport report;
  report.place = find_host_kind(files);
  report.host = host_fingerprint("/");
  add_cpus(cpus, report);
  report.knobs = tried_process_knobs(cpus);
  if (memory_nodes_of("/", cpus.measured).empty()) report.knobs.push_back(one_memory_node());
  report.knobs.push_back(fixed_environment());
  add(knobs_of(plan_host_knobs(files, wishes_for(options, cpus, {gpu, nvml.get()}))), report.knobs);
  deny_gpu_knobs_without_root(report.knobs);
  add_gpu(offer, nvml, report);
  add_hindrances(report);
  if (gpu && nvml.get() != nullptr) report.host.merge(gpu_facts(*nvml.get(), {gpu->uuid}));
  add_watched(cpus, report);
  report.stale_journal = left_by_dead_run(files, options.state_folder);
  add_busy(before, start, cpus, report);
  return report;
}

}  // namespace stepgate
