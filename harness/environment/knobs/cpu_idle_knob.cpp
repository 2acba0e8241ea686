#include "environment/knobs/cpu_idle_knob.h"

#include <cerrno>
#include <string>

#include "environment/knobs/settled_knob.h"

namespace stepgate {

KnobPlan plan_cpu_idle(const HostFiles& files) {
  const std::string knob = "cpu_idle";
  const int refusal = files.write_refusal(cpu_latency_file);
  if (refusal == ENOENT || refusal == ENXIO || refusal == ENODEV) {
    return settled_plan(unsupported_knob(knob, "this kernel lets nobody limit how deep CPUs sleep"));
  }
  // Its content is binary, the sum of all processes' wishes: nothing to show as what was before.
  const KnobChange wish{knob, ChangeKind::file, cpu_latency_file, "", "0 us", 0};
  if (refusal != 0) return settled_plan(denied_knob(files, {wish}, cpu_latency_file, refusal));
  KnobReport report;
  report.name = knob;
  report.mode = GuardMode::host;
  report.state = KnobState::available;
  report.wanted = wish.wanted;
  report.reason = "CPUs stay out of deep sleep as long as a run holds this open";
  return settled_plan(report);
}

}  // namespace stepgate
