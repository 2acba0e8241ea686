// Knobs of one measured process: set and read back between fork and exec, gone when the process ends.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/host/knob.h"
#include "core/host/process_knob.h"
#include "environment/cpus/cpu_list.h"
#include "system/descriptor.h"

namespace stepgate {

/// The kernel's answer to one knob. A plain value, since it crosses a pipe.
struct ProcessKnobOutcome {
  bool wanted = false;  ///< false: not asked for
  int error = 0;        ///< errno, 0 where the call worked
  long before = 0;
  long after = 0;  ///< as read back; for masks 1 = as wanted, 0 = otherwise
};
using ProcessKnobOutcomes = std::array<ProcessKnobOutcome, process_knob_rows.size()>;

struct ProcessKnobRequest {
  CpuList cpus;                   ///< affinity; empty: not pinned
  CpuList unpinned_cpus = {};     ///< where a process that is not pinned may run; empty: where the launcher may
  std::vector<int> memory_nodes;  ///< whose memory to use; empty: left alone, as with fewer than two nodes
  int nice = 0;                   ///< wanted priority; 0: left alone
  bool random_layout = false;     ///< undo ADDR_NO_RANDOMIZE that a debugger or setarch handed down
  std::string cgroup;             ///< folder of the partition, "" = none
};

/// Prepares everything: between fork and exec apply() may neither allocate nor lock.
class ProcessKnobs {
 public:
  explicit ProcessKnobs(const ProcessKnobRequest& request);

  /// Sets the knobs of the calling process. A refusal is an outcome; the process starts all the same.
  /// Async-signal-safe.
  void apply(ProcessKnobOutcomes& outcomes) const noexcept;

 private:
  void set_affinity(ProcessKnobOutcome& outcome) const noexcept;
  void set_memory_policy(ProcessKnobOutcome& outcome) const noexcept;
  void set_priority(ProcessKnobOutcome& outcome) const noexcept;
  void set_address_layout(ProcessKnobOutcome& outcome) const noexcept;
  void enter_cgroup(ProcessKnobOutcome& outcome) const noexcept;

  AffinityMask mask_;
  bool pin_;
  bool unpin_;  ///< undo the mask that the launcher set for itself
  std::vector<unsigned long> nodes_;
  int nice_;
  bool random_layout_;
  Descriptor cgroup_;
  int cgroup_error_ = 0;
};

/// The outcomes as reports. A knob that was not asked for has none.
std::vector<KnobReport> process_knob_reports(const ProcessKnobRequest& request, const ProcessKnobOutcomes& outcomes);

/// Nodes whose CPUs contain one of `cpus`, read below `sysroot`; empty where the machine has fewer than two nodes with
/// memory, or does not say.
std::vector<int> memory_nodes_of(const std::string& sysroot, const CpuList& cpus);

}  // namespace stepgate
