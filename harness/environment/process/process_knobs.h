// Knobs of one measured process: set between fork and exec, read back there, undone by the kernel when it ends.
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

/// What the kernel said to one knob. A plain value: it crosses a pipe.
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
  std::vector<int> memory_nodes;  ///< whose memory to take; fewer than two nodes in the machine: left alone, empty
  int nice = 0;                   ///< wanted priority; 0: left alone
  bool random_layout = false;     ///< undo ADDR_NO_RANDOMIZE that a debugger or setarch handed down
  std::string cgroup;             ///< folder of the partition, "" = none
};

/// Everything laid out beforehand: apply() neither allocates nor locks, the only way between fork and exec.
class ProcessKnobs {
 public:
  explicit ProcessKnobs(const ProcessKnobRequest& request);

  /// Of the calling process. A refusal is an outcome, never a reason not to start. Async-signal-safe.
  void apply(ProcessKnobOutcomes& outcomes) const noexcept;

 private:
  void set_affinity(ProcessKnobOutcome& outcome) const noexcept;
  void set_memory_policy(ProcessKnobOutcome& outcome) const noexcept;
  void set_priority(ProcessKnobOutcome& outcome) const noexcept;
  void set_address_layout(ProcessKnobOutcome& outcome) const noexcept;
  void enter_cgroup(ProcessKnobOutcome& outcome) const noexcept;

  AffinityMask mask_;
  bool pin_;
  bool unpin_;  ///< take back what the launcher has set for itself
  std::vector<unsigned long> nodes_;
  int nice_;
  bool random_layout_;
  Descriptor cgroup_;
  int cgroup_error_ = 0;
};

/// The same in words. A knob that was not asked for gives no report.
std::vector<KnobReport> process_knob_reports(const ProcessKnobRequest& request, const ProcessKnobOutcomes& outcomes);

/// Nodes whose CPUs contain one of `cpus`, read below `sysroot`; empty where the machine has fewer than two nodes with
/// memory, or does not say.
std::vector<int> memory_nodes_of(const std::string& sysroot, const CpuList& cpus);

}  // namespace stepgate
