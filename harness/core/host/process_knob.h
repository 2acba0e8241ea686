// The knobs of one measured process: one row per knob. They end with the process, so nothing has to be restored.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/host/knob.h"

namespace stepgate {

/// In the order in which they are applied: entering a cgroup resets the CPU mask, so the mask comes after it.
enum class ProcessKnob { partition, affinity, memory_policy, priority, address_layout };

struct ProcessKnobRow {
  ProcessKnob knob;
  std::string_view name;    ///< in --knobs and in reports
  GuardMode mode;           ///< the lowest mode that sets it
  std::string_view sets;    ///< what it sets
  std::string_view remedy;  ///< what would allow it where the kernel refuses
  bool ablated;             ///< `stepgate ablate` measures it on its own, not only with all others
};

inline constexpr std::array<ProcessKnobRow, 5> process_knob_rows = {{
    {ProcessKnob::partition, "cpu_set", GuardMode::host, "the process runs in the cgroup that the knob partition made",
     "run as root where /sys/fs/cgroup may be written", false},
    {ProcessKnob::affinity, "affinity", GuardMode::process, "the process runs on the measured CPUs only",
     "let the container's seccomp profile allow sched_setaffinity", true},
    {ProcessKnob::memory_policy, "memory_policy", GuardMode::process, "its memory comes from the node of these CPUs",
     "let the container's seccomp profile allow set_mempolicy (docker: --cap-add SYS_NICE)", true},
    {ProcessKnob::priority, "priority", GuardMode::process, "its priority is above that of ordinary processes",
     "needs CAP_SYS_NICE, or a limit: `* - nice -10` in /etc/security/limits.conf", true},
    {ProcessKnob::address_layout, "address_layout", GuardMode::process,
     "its address layout is random, even where a debugger or setarch switched that off",
     "let the container's seccomp profile allow personality", false},
}};

constexpr const ProcessKnobRow& row_of(ProcessKnob knob) { return process_knob_rows[static_cast<std::size_t>(knob)]; }
constexpr std::string_view name_of(ProcessKnob knob) { return row_of(knob).name; }

/// Names of all process knobs, in the order of the rows.
inline constexpr auto process_knob_names = [] {
  std::array<std::string_view, process_knob_rows.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = process_knob_rows[i].name;
  return names;
}();

}  // namespace stepgate
