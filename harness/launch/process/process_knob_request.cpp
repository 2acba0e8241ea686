#include "launch/process/process_knob_request.h"

#include <string>

namespace stepgate {

ProcessKnobRequest process_knob_request(const LaunchGuard& guard, const CpuChoice& cpus) {
  if (guard.mode == GuardMode::observe) return {};
  const auto on = [&](ProcessKnob knob) { return !guard.off.contains(std::string(name_of(knob))); };
  ProcessKnobRequest wanted;
  if (on(ProcessKnob::affinity)) {
    wanted.cpus = cpus.measured;
  } else {
    wanted.unpinned_cpus = guard.allowed;  // the launcher itself sits on the housekeeping CPUs
  }
  if (on(ProcessKnob::memory_policy)) wanted.memory_nodes = memory_nodes_of("/", cpus.measured);
  if (on(ProcessKnob::priority)) wanted.nice = measured_nice;
  wanted.random_layout = on(ProcessKnob::address_layout);
  wanted.cgroup = guard.partition;
  return wanted;
}

}  // namespace stepgate
