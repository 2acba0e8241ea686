// The evidence of one replicate: counters before and after, and what the child used.
#pragma once

#include "core/record/evidence.h"
#include "environment/evidence/host_counters.h"
#include "environment/process/child_usage.h"

namespace stepgate {

struct EvidenceInput {
  HostCounters before;
  HostCounters after;
  ChildUsage child;
  CpuList measured;             ///< where the child was put; empty where it could not be pinned
  bool shares_cpus = false;     ///< with the other process of its pair, which is not foreign
  double ticks_per_second = 0;  ///< USER_HZ: sysconf(_SC_CLK_TCK)
};

/// Pure. Fractions are of the window between the two readings, over the measured CPUs:
/// steal_fraction = steal / total; interrupt_fraction = time in interrupts / total; foreign_busy_fraction = (busy on
/// measured CPUs and their siblings - the CPU time of the child and of all that it started) / total, never below 0,
/// absent if unpinned; runqueue_wait_fraction = wait of the child's main thread / its wall time, without the part that
/// the child's other threads and what it started may have caused: that one is own_wait_fraction. Tick fractions of a
/// window of less than 100 ticks are absent, since a single tick would decide.
Evidence evidence_of(const EvidenceInput& input);

/// Whether somebody else or the program itself allowed a thread elsewhere: where the CPUs of this thread and of its
/// cgroup stayed the same, it was the program, and affinity_changed becomes own_affinity_change.
void tell_own_move(const HostCounters& before, const HostCounters& after, Evidence& evidence);

/// Time that the process's threads were ready to run and waited, during its timed passes.
struct RunQueueTime {
  std::int64_t run_ns = 0;
  std::int64_t wait_ns = 0;
  std::int64_t own_wait_ns = 0;         ///< the part of it that the process may have caused itself
  bool more_threads_than_cpus = false;  ///< then they wait for each other
};

/// Sets runqueue_wait_fraction = (wait - own wait) / (run + wait) of the timed passes, and own_wait_fraction likewise.
/// They replace the fractions of the whole process, which includes its start. Absent with more threads than CPUs.
void add_runqueue_time(const RunQueueTime& time, Evidence& evidence);

}  // namespace stepgate
