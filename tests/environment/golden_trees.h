// Machines as their kernel files show them: one small function per machine, which writes below a FakeRoot. SystemFiles
// reads them there, a StubHost copies them. Each part has a function of its own.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>

#include "environment/fake_root.h"

namespace stepgate {

/// File names to their content, without the end of line.
using GoldenFiles = std::map<std::string, std::string>;

inline void write_files(const FakeRoot& root, const std::string& folder, const GoldenFiles& files) {
  for (const auto& [name, text] : files) root.write(folder + "/" + name, text + "\n");
}

/// A live process, asleep, started 23.45 s after boot.
inline void write_process(const FakeRoot& root, int pid, const std::string& name) {
  write_files(root, fmt::format("proc/{}", pid),
              {{"comm", name},
               {"stat", fmt::format("{} ({}) S 1 {} {} 0 -1 4194560 1021 0 5 0 12 34 0 0 20 0 2 0 2345 9000 800", pid,
                                    name, pid, pid)}});
}

/// Interrupt numbers to the CPUs that may handle them.
inline void write_interrupts(const FakeRoot& root, const std::string& default_mask,
                             const std::map<int, std::string>& cpus) {
  write_files(root, "proc/irq", {{"default_smp_affinity", default_mask}});
  for (const auto& [number, list] : cpus) {
    write_files(root, fmt::format("proc/irq/{}", number), {{"smp_affinity_list", list}});
  }
}

inline void write_kernel_switches(const FakeRoot& root, const std::string& numa_balancing,
                                  const std::string& nmi_watchdog) {
  write_files(root, "proc/sys/kernel", {{"numa_balancing", numa_balancing}, {"nmi_watchdog", nmi_watchdog}});
}

struct GoldenClock {
  int lowest_khz = 0;
  int sustained_khz = 0;  ///< without turbo
  int highest_khz = 0;
};

inline const std::string golden_cpus = "sys/devices/system/cpu";

/// One CPU's policy as intel_pstate shows it in active mode.
inline void write_intel_policy(const FakeRoot& root, int cpu, const GoldenClock& clock) {
  write_files(
      root, fmt::format("{}/cpufreq/policy{}", golden_cpus, cpu),
      {{"affected_cpus", std::to_string(cpu)},
       {"related_cpus", std::to_string(cpu)},
       {"scaling_driver", "intel_pstate"},
       {"scaling_available_governors", "performance powersave"},
       {"scaling_governor", "powersave"},
       {"energy_performance_available_preferences", "default performance balance_performance balance_power power"},
       {"energy_performance_preference", "balance_performance"},
       {"scaling_min_freq", std::to_string(clock.lowest_khz)},
       {"scaling_max_freq", std::to_string(clock.highest_khz)},
       {"cpuinfo_max_freq", std::to_string(clock.highest_khz)},
       {"base_frequency", std::to_string(clock.sustained_khz)}});
}

/// One CPU's policy as amd-pstate shows it in passive mode, with a boost switch of its own.
inline void write_amd_policy(const FakeRoot& root, int cpu, const GoldenClock& clock) {
  write_files(root, fmt::format("{}/cpufreq/policy{}", golden_cpus, cpu),
              {{"affected_cpus", std::to_string(cpu)},
               {"related_cpus", std::to_string(cpu)},
               {"scaling_driver", "amd-pstate"},
               {"scaling_available_governors", "conservative ondemand userspace powersave performance schedutil"},
               {"scaling_governor", "schedutil"},
               {"scaling_min_freq", std::to_string(clock.lowest_khz)},
               {"scaling_max_freq", std::to_string(clock.highest_khz)},
               {"cpuinfo_max_freq", std::to_string(clock.highest_khz)},
               {"boost", "1"}});
  write_files(root, fmt::format("{}/cpu{}/acpi_cppc", golden_cpus, cpu),
              {{"nominal_freq", std::to_string(clock.sustained_khz / 1000)}});
}

/// systemd's groups, cgroup v2 alone; `cpus` are all of the machine. The cpuset controller exists and no group has
/// it yet.
inline void write_cgroup_v2(const FakeRoot& root, const std::string& cpus) {
  const std::string mount = "sys/fs/cgroup";
  const std::string given = "cpu io memory pids";
  write_files(root, mount,
              {{"cgroup.controllers", "cpuset cpu io memory pids"},
               {"cgroup.subtree_control", given},
               {"cgroup.procs", "1 2"},
               {"cpuset.cpus.effective", cpus},
               {"cpuset.mems.effective", "0"}});
  for (const char* group : {"system.slice", "user.slice"}) {
    write_files(root, fmt::format("{}/{}", mount, group),
                {{"cgroup.type", "domain"},
                 {"cgroup.controllers", given},
                 {"cgroup.subtree_control", given},
                 {"cgroup.procs", ""}});
  }
  root.write("proc/self/cgroup", "0::/user.slice/user-1000.slice/session-2.scope\n");
}

/// What Linux 6.8 and later add for partitions.
inline void write_newer_cgroup_files(const FakeRoot& root) { root.write("sys/fs/cgroup/cpuset.cpus.isolated", "\n"); }

/// cgroup v1 with its controllers, and an empty v2 beside it: Debian before 11, and many small virtual machines.
inline void write_cgroup_v1(const FakeRoot& root) {
  write_files(root, "sys/fs/cgroup/cpuset", {{"cpuset.cpus", "0-1"}, {"cpuset.mems", "0"}, {"cgroup.procs", "1"}});
  write_files(root, "sys/fs/cgroup/unified",
              {{"cgroup.controllers", "hugetlb"}, {"cgroup.subtree_control", ""}, {"cgroup.procs", "1"}});
  root.write("proc/self/cgroup", "5:memory:/\n4:cpuset:/\n3:cpu,cpuacct:/\n1:name=systemd:/\n0::/\n");
}

/// Four cores of two hardware threads, {0,1} {2,3} {4,5} {6,7}; intel_pstate, irqbalance, a systemd with cgroup v2.
inline void write_intel_laptop(const FakeRoot& root) {
  write_files(root, golden_cpus, {{"online", "0-7"}});
  for (int cpu = 0; cpu < 8; ++cpu) write_intel_policy(root, cpu, {400000, 2400000, 4700000});
  write_files(root, golden_cpus + "/intel_pstate", {{"status", "active"}, {"no_turbo", "0"}});
  write_files(root, "sys/devices/system/node", {{"has_memory", "0"}, {"node0/cpulist", "0-7"}});
  write_interrupts(root, "ff", {{1, "0-7"}, {9, "0"}, {24, "4-5"}, {125, "2"}, {130, "2-3,6"}});
  write_process(root, 1, "systemd");
  write_process(root, 812, "irqbalance");
  write_kernel_switches(root, "0", "1");
  write_cgroup_v2(root, "0-7");
  root.write("dev/cpu_dma_latency", "");
}

/// Four cores without a second thread; amd-pstate with a switch for boost in each policy and one for all.
inline void write_amd_per_policy_boost(const FakeRoot& root) {
  write_files(root, golden_cpus, {{"online", "0-3"}});
  for (int cpu = 0; cpu < 4; ++cpu) write_amd_policy(root, cpu, {400000, 3400000, 4950000});
  write_files(root, golden_cpus + "/cpufreq", {{"boost", "1"}});
  write_files(root, "sys/devices/system/node", {{"has_memory", "0"}, {"node0/cpulist", "0-3"}});
  write_interrupts(root, "f", {{1, "0-3"}, {40, "1"}});
  write_kernel_switches(root, "0", "0");
  write_cgroup_v2(root, "0-3");
  root.write("dev/cpu_dma_latency", "");
}

/// Two CPUs, no clock to set, cgroup v1: a typical hosted runner.
inline void write_virtual_machine(const FakeRoot& root) {
  write_files(root, golden_cpus, {{"online", "0-1"}});
  std::filesystem::create_directories(root.path() / golden_cpus / "cpufreq");
  root.write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme avx2 hypervisor lahf_lm\n\nprocessor\t: 1\n");
  write_interrupts(root, "3", {{24, "0-1"}, {25, "0"}});
  write_kernel_switches(root, "0", "0");
  write_cgroup_v1(root);
  root.write("dev/cpu_dma_latency", "");
}

/// Two sockets, nodes 0 (CPUs 0-3) and 1 (4-7), a GPU and its interrupts at node 1; Linux 6.8, its groups have cpuset
/// already.
inline void write_two_socket_gpu_host(const FakeRoot& root) {
  write_files(root, golden_cpus, {{"online", "0-7"}});
  for (int cpu = 0; cpu < 8; ++cpu) write_intel_policy(root, cpu, {800000, 2000000, 3800000});
  write_files(root, golden_cpus + "/intel_pstate", {{"status", "active"}, {"no_turbo", "0"}});
  write_files(root, "sys/devices/system/node",
              {{"has_memory", "0-1"}, {"node0/cpulist", "0-3"}, {"node1/cpulist", "4-7"}});
  write_files(root, "sys/bus/pci/devices/0000:3b:00.0", {{"numa_node", "1"}, {"local_cpulist", "4-7"}});
  write_interrupts(root, "00000000,000000ff", {{16, "0-3"}, {200, "4-7"}, {201, "5"}});
  write_process(root, 900, "irqbalance");
  write_kernel_switches(root, "1", "1");
  write_cgroup_v2(root, "0-7");
  write_files(root, "sys/fs/cgroup", {{"cgroup.subtree_control", "cpuset cpu io memory pids"}});
  write_newer_cgroup_files(root);
  root.write("dev/cpu_dma_latency", "");
}

/// Two fast cores of two threads, {0,1} {2,3}, and four small ones, 4-7, which have other clocks.
inline void write_hybrid_cores(const FakeRoot& root) {
  write_files(root, golden_cpus, {{"online", "0-7"}});
  for (int cpu = 0; cpu < 4; ++cpu) write_intel_policy(root, cpu, {800000, 3000000, 5400000});
  for (int cpu = 4; cpu < 8; ++cpu) write_intel_policy(root, cpu, {800000, 2200000, 4200000});
  write_files(root, golden_cpus + "/intel_pstate", {{"status", "active"}, {"no_turbo", "0"}});
  write_files(root, "sys/devices/system/node", {{"has_memory", "0"}, {"node0/cpulist", "0-7"}});
  write_interrupts(root, "ff", {{120, "2"}, {121, "4"}});
  write_kernel_switches(root, "0", "1");
  write_cgroup_v2(root, "0-7");
  root.write("dev/cpu_dma_latency", "");
}

}  // namespace stepgate
