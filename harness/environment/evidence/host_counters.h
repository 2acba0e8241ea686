// Counters of the host that grow when something disturbs a measurement. They are read before and after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/record/evidence.h"
#include "environment/cpus/cpu_list.h"

namespace stepgate {

/// Ticks (USER_HZ, usually 10 ms) of a set of CPUs since boot, from /proc/stat.
struct CpuTicks {
  std::int64_t busy = 0;       ///< user, nice, system, irq, softirq
  std::int64_t steal = 0;      ///< ready to run, but the hypervisor ran another machine
  std::int64_t total = 0;      ///< busy, steal and idle
  std::int64_t interrupt = 0;  ///< irq and softirq, part of busy
};

/// One reading. evidence_of() turns each kind of counter into evidence in its own way, so a new counter of one of these
/// kinds needs no code there.
struct HostCounters {
  std::optional<CpuTicks> measured;
  std::optional<CpuTicks> siblings;              ///< ticks of the measured cores' other hardware threads
  std::map<EvidenceKey, std::int64_t> counts;    ///< since boot; the evidence is the growth
  std::map<EvidenceKey, std::int64_t> times_us;  ///< since boot; the evidence is the growth per wall time
  std::map<EvidenceKey, double> levels;          ///< the evidence is the value before the replicate
  std::map<EvidenceKey, std::string> absent;     ///< why a counter cannot be read here
  /// CPUs of this thread and of its cgroup. Whoever moves the measured process from outside by its cpuset changes them;
  /// what the process sets itself does not. "": they cannot be read.
  std::string allowed_cpus;
};

struct CounterSource {
  std::filesystem::path sysroot = "/";
  CpuList measured;
  CpuList siblings;
};

/// Reads every counter that this machine shows; the others are absent with a reason. The cgroup counters are those of
/// this process and of all groups above it, since a quota of any of them stops a child too. Throws nothing.
HostCounters read_host_counters(const CounterSource& source);

}  // namespace stepgate
