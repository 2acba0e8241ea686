#include "environment/knobs/host_plan.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "environment/knobs/cpu_idle_knob.h"
#include "environment/knobs/frequency_knobs.h"
#include "environment/knobs/interrupt_knob.h"
#include "environment/knobs/kernel_switch_knobs.h"
#include "environment/knobs/partition_knob.h"
#include "environment/knobs/turbo_knob.h"

namespace stepgate {
namespace {

void append(KnobPlan& all, KnobPlan more) {
  all.changes.insert(all.changes.end(), std::make_move_iterator(more.changes.begin()),
                     std::make_move_iterator(more.changes.end()));
  all.settled.insert(all.settled.end(), std::make_move_iterator(more.settled.begin()),
                     std::make_move_iterator(more.settled.end()));
}

/// Writing a governor switches Intel's turbo on again: where it was off, that is held and put back as a change of its
/// own.
void hold_turbo_off(const HostFiles& files, KnobPlan& plan) {
  const std::string path = "/sys/devices/system/cpu/intel_pstate/no_turbo";
  const bool governor_moves = std::any_of(plan.changes.begin(), plan.changes.end(),
                                          [](const KnobChange& change) { return change.knob == "governor"; });
  if (!governor_moves || files.read(path) != "1") return;
  std::erase_if(plan.settled, [](const KnobReport& report) { return report.name == "turbo"; });
  plan.changes.push_back({"turbo", ChangeKind::file, path, "1", "1", rank_turbo});
}

}  // namespace

KnobPlan plan_host_knobs(const HostFiles& files, const HostWishes& wishes) {
  KnobPlan all;
  append(all, plan_interrupts(files, wishes));
  append(all, plan_partition(files, wishes));
  append(all, plan_governor(files, wishes));
  append(all, plan_energy_preference(files, wishes));
  append(all, plan_frequency_limits(files, wishes));
  append(all, plan_turbo(files, wishes));
  hold_turbo_off(files, all);
  append(all, plan_numa_balancing(files));
  append(all, plan_nmi_watchdog(files));
  append(all, plan_cpu_idle(files));
  return all;
}

}  // namespace stepgate
