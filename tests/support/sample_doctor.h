// Doctor's reports of four typical machines: a laptop, a container, a cloud machine, a host with a GPU.
#pragma once

#include <cerrno>
#include <string>
#include <utility>

#include "core/study/doctor.h"

namespace stepgate {

inline KnobReport sample_knob(std::string name, GuardMode mode, KnobState state, std::string before = "",
                              std::string wanted = "") {
  KnobReport knob;
  knob.name = std::move(name);
  knob.mode = mode;
  knob.state = state;
  knob.before = std::move(before);
  knob.wanted = std::move(wanted);
  return knob;
}

inline KnobReport sample_refusal(KnobReport knob, int error, std::string reason, std::string remedy) {
  knob.error = error;
  knob.reason = std::move(reason);
  knob.remedy = std::move(remedy);
  return knob;
}

inline void add_process_knobs(DoctorReport& report, const std::string& cpus) {
  report.knobs.push_back(sample_knob("affinity", GuardMode::process, KnobState::available, "all CPUs", cpus));
  report.knobs.push_back(sample_refusal(
      sample_knob("priority", GuardMode::process, KnobState::denied, "nice 0", "nice -10"), EACCES, "Permission denied",
      "needs CAP_SYS_NICE, or a limit: `* - nice -10` in /etc/security/limits.conf"));
  report.knobs.push_back(sample_knob("address_layout", GuardMode::process, KnobState::already, "random", "random"));
}

inline DoctorReport sample_laptop() {
  DoctorReport report;
  report.place = {HostKind::laptop,
                  {"it has a battery (BAT0)", "its chassis is a portable one (type 10)"},
                  {"runs on battery power, which holds clocks down: plug it in"}};
  report.host = {{"cpu_model", "11th Gen Intel(R) Core(TM) i7-1185G7 @ 3.00GHz"},
                 {"cpu_count", "8"},
                 {"kernel", "6.1.0-18-amd64"},
                 {"governor", "powersave"}};
  report.measured_cpus = "2-3";
  report.siblings = "6-7";
  report.housekeeping = "0-1,4-5";
  report.cpu_reason = "one hardware thread per core, away from the core of CPU 0";
  add_process_knobs(report, "2-3");
  const std::string remedy = "run as root: sudo stepgate ... --guard host";
  const std::string cpufreq = "/sys/devices/system/cpu/cpufreq/policy2/";
  report.knobs.push_back(
      sample_refusal(sample_knob("governor", GuardMode::host, KnobState::denied, "powersave", "performance"), EACCES,
                     cpufreq + "scaling_governor may not be written: Permission denied", remedy));
  report.knobs.push_back(
      sample_refusal(sample_knob("turbo", GuardMode::host, KnobState::denied, "0", "1"), EACCES,
                     "/sys/devices/system/cpu/intel_pstate/no_turbo may not be written: Permission denied", remedy));
  report.knobs.push_back(sample_refusal(sample_knob("gpu_persistence", GuardMode::host, KnobState::unsupported), ENODEV,
                                        "no NVIDIA driver is loaded", ""));
  report.settings = {{"guard", "process", "default"},
                     {"threads", "2", "--threads"},
                     {"malloc", "default", "default"},
                     {"runner class", "laptop", "STEPGATE_RUNNER_CLASS"}};
  report.watched = {"runqueue_wait_fraction", "swap_pages", "cpu_throttle_events", "load_average"};
  report.unwatched = {{"steal_fraction", "this is no virtual machine"}};
  return report;
}

inline DoctorReport sample_container() {
  DoctorReport report;
  report.place = {HostKind::container,
                  {"/.dockerenv is there", "the root is an overlay file system", "the CPU says hypervisor"},
                  {}};
  report.host = {{"cpu_model", "AMD EPYC 7763 64-Core Processor"}, {"cpu_count", "4"}, {"kernel", "6.8.0-1021-azure"}};
  report.cpu_reason = "2 cores were asked for and 1 is allowed: nothing is pinned";
  add_process_knobs(report, "1");
  const std::string remedy = "needs the host: run the container with --privileged, or configure the host";
  report.knobs.push_back(sample_refusal(sample_knob("turbo", GuardMode::host, KnobState::unsupported), 0,
                                        "a virtual machine does not set its clock; the machine below it does",
                                        "set the clock on the machine that runs this virtual machine"));
  report.knobs.push_back(
      sample_refusal(sample_knob("interrupts", GuardMode::host, KnobState::denied, "14 values", "0"), EROFS,
                     "/proc/irq/24/smp_affinity_list may not be written: Read-only file system", remedy));
  report.knobs.push_back(
      sample_refusal(sample_knob("numa_balancing", GuardMode::host, KnobState::denied, "1", "0"), EROFS,
                     "/proc/sys/kernel/numa_balancing may not be written: Read-only file system", remedy));
  report.settings = {{"guard", "process", "default"}, {"threads", "1", "default"}};
  report.watched = {"steal_fraction", "quota_throttled_periods"};
  report.unwatched = {{"cpu_throttle_events", "the kernel shows no thermal_throttle here"},
                      {"cpu_mean_mhz", "the kernel shows no cpufreq here"},
                      {"memory_stall_fraction", "the kernel shows no cpufreq here"}};
  report.warnings = {"a CPU quota of 2.0 CPUs stops all processes of this container for a while in every period"};
  return report;
}

inline DoctorReport sample_cloud_machine() {
  DoctorReport report;
  report.place = {HostKind::virtual_machine, {"the CPU says hypervisor, the firmware Amazon EC2 c7i.2xlarge"}, {}};
  report.host = {
      {"cpu_model", "Intel(R) Xeon(R) Platinum 8488C"}, {"cpu_count", "8"}, {"kernel", "6.1.0-28-cloud-amd64"}};
  report.measured_cpus = "1,3";
  report.siblings = "5,7";
  report.housekeeping = "0,2,4,6";
  report.cpu_reason = "one hardware thread per core, away from the core of CPU 0";
  report.knobs = {sample_knob("affinity", GuardMode::process, KnobState::available, "0-7", "1,3"),
                  sample_knob("priority", GuardMode::process, KnobState::available, "nice 0", "nice -10"),
                  sample_knob("interrupts", GuardMode::host, KnobState::available, "31 values", "0,2,4,6"),
                  sample_knob("nmi_watchdog", GuardMode::host, KnobState::already, "0", "0")};
  report.knobs.back().reason = "it is off";
  report.knobs.push_back(sample_refusal(sample_knob("governor", GuardMode::host, KnobState::unsupported), 0,
                                        "a virtual machine does not set its clock; the machine below it does",
                                        "set the clock on the machine that runs this virtual machine"));
  report.knobs.push_back(report.knobs.back());
  report.knobs.back().name = "turbo";
  report.settings = {{"guard", "host", "STEPGATE_GUARD"}};
  report.watched = {"steal_fraction", "swap_pages"};
  return report;
}

inline DoctorReport sample_gpu_host() {
  DoctorReport report;
  report.place = {HostKind::gpu_host, {"8 GPUs: NVIDIA H200"}, {}};
  report.host = {{"cpu_model", "INTEL(R) XEON(R) PLATINUM 8558"},
                 {"cpu_count", "192"},
                 {"kernel", "6.8.0-55-generic"},
                 {"gpu_driver", "580.65.06"}};
  report.measured_cpus = "2-5";
  report.siblings = "98-101";
  report.housekeeping = "0-1,6-97,102-191";
  report.cpu_reason = "near the GPU (NUMA node 0), one hardware thread per core, away from the core of CPU 0";
  report.knobs = {sample_knob("affinity", GuardMode::process, KnobState::available, "0-191", "2-5"),
                  sample_knob("memory_policy", GuardMode::process, KnobState::available, "any node", "node 0"),
                  sample_knob("partition", GuardMode::host, KnobState::available, "absent", "2-5"),
                  sample_knob("governor", GuardMode::host, KnobState::already, "performance", "performance"),
                  sample_knob("turbo", GuardMode::host, KnobState::available, "0", "1"),
                  sample_knob("interrupts", GuardMode::host, KnobState::available, "411 values", "0-1"),
                  sample_knob("gpu_persistence", GuardMode::host, KnobState::already, "1", "1")};
  report.knobs.back().reason = "the GPU stays initialised between processes";
  report.knobs.push_back(sample_refusal(sample_knob("gpu_clock", GuardMode::host, KnobState::available), 0,
                                        "the driver cannot say what the core clock was locked to before, so that it is "
                                        "locked only where you name a value",
                                        "--gpu-clock MHZ"));
  report.knobs.push_back(sample_knob("numa_balancing", GuardMode::host, KnobState::overridden, "1", "0"));
  report.knobs.back().after = "1";
  report.knobs.back().reason = "something wrote it back within a second";
  report.watched = {"swap_pages", "numa_pages_migrated", "cpu_throttle_events"};
  report.unwatched = {{"steal_fraction", "this is no virtual machine"}};
  report.settings = {{"guard", "process", "default"}};
  report.stale_journal = true;
  return report;
}

}  // namespace stepgate
