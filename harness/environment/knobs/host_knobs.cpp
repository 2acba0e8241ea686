#include "environment/knobs/host_knobs.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "environment/knobs/cpu_idle_knob.h"
#include "environment/knobs/frequency_knobs.h"
#include "environment/knobs/gpu_knobs.h"
#include "environment/knobs/interrupt_knob.h"
#include "environment/knobs/kernel_switch_knobs.h"
#include "environment/knobs/partition_knob.h"
#include "environment/knobs/turbo_knob.h"

namespace stepgate {
namespace {

// A restore rank that nothing depends on may repeat another one. These matter: writing a governor resets turbo on
// Intel, so turbo comes after it; the daemon that moves interrupts continues after the interrupts are back.
constexpr HostKnob host_knob_rows[] = {
    {.name = "interrupts",
     .sets = "device interrupts are handled on other CPUs than the measured ones",
     .plan = plan_interrupts,
     .restore_rank = 70},
    {.name = "partition",
     .sets = "the measured CPUs belong to a cgroup of the measured processes alone",
     .plan = plan_partition,
     .restore_rank = 10},
    {.name = "governor",
     .sets = "the clock of the measured CPUs does not fall when they have little to do",
     .plan = plan_governor,
     .restore_rank = 40},
    {.name = "energy_preference",
     .sets = "the clock of the measured CPUs prefers speed to saving energy",
     .plan = plan_energy_preference,
     .restore_rank = 41,
     .moved_by = "governor"},
    {.name = "frequency_limits",
     .sets = "the clock of the measured CPUs has one value only",
     .plan = plan_frequency_limits,
     .restore_rank = 30,
     .moved_by = "governor"},
    {.name = "turbo",
     .sets = "no clock above the one that lasts",
     .plan = plan_turbo,
     .restore_rank = 50,
     .moved_by = "governor"},
    {.name = "numa_balancing",
     .sets = "the kernel does not move memory between nodes",
     .plan = plan_numa_balancing,
     .restore_rank = 60},
    {.name = "nmi_watchdog",
     .sets = "no watchdog interrupt every few seconds",
     .plan = plan_nmi_watchdog,
     .restore_rank = 60},
    {.name = "cpu_idle", .sets = "idle CPUs stay out of deep sleep", .plan = plan_cpu_idle, .hold = hold_cpus_awake},
    {.name = "gpu_persistence",
     .sets = "the GPU stays initialised between processes",
     .plan = plan_gpu_persistence,
     .restore_rank = 20,
     .of_gpu = true},
    {.name = "gpu_clock",
     .sets = "the GPU's core clock has the one value that --gpu-clock names",
     .plan = plan_gpu_clock,
     .restore_rank = 20,
     .of_gpu = true},
    {.name = "gpu_memory_clock",
     .sets = "the GPU's memory clock has the one value that --gpu-memory-clock names",
     .plan = plan_gpu_memory_clock,
     .restore_rank = 20,
     .of_gpu = true},
};

void append(KnobPlan& all, KnobPlan more) {
  all.changes.insert(all.changes.end(), std::make_move_iterator(more.changes.begin()),
                     std::make_move_iterator(more.changes.end()));
  all.settled.insert(all.settled.end(), std::make_move_iterator(more.settled.begin()),
                     std::make_move_iterator(more.settled.end()));
}

/// Writing a governor switches Intel's turbo on again. If turbo is off, the guard keeps it off, and restores it
/// after the governor.
void keep_turbo_off(const HostFiles& files, const HostKnob& turbo, KnobPlan& plan) {
  const std::string path = "/sys/devices/system/cpu/intel_pstate/no_turbo";
  const bool governor_moves = std::any_of(plan.changes.begin(), plan.changes.end(),
                                          [&](const KnobChange& change) { return change.knob == turbo.moved_by; });
  if (!governor_moves || files.read(path) != "1") return;
  std::erase_if(plan.settled, [&](const KnobReport& report) { return report.name == turbo.name; });
  plan.changes.push_back({std::string(turbo.name), ChangeKind::file, path, "1", "1", turbo.restore_rank});
}

}  // namespace

std::span<const HostKnob> host_knobs() { return host_knob_rows; }

const HostKnob* find_host_knob(std::string_view name) {
  const auto found = std::find_if(std::begin(host_knob_rows), std::end(host_knob_rows),
                                  [&](const HostKnob& knob) { return knob.name == name; });
  return found == std::end(host_knob_rows) ? nullptr : found;
}

std::string_view mover_of(std::string_view knob) {
  const HostKnob* row = find_host_knob(knob);
  return row == nullptr ? "" : row->moved_by;
}

KnobPlan plan_of(const HostKnob& knob, const HostFiles& files, const HostWishes& wishes) {
  KnobPlan plan = knob.plan(files, wishes);
  for (KnobChange& change : plan.changes) change.restore_rank += knob.restore_rank;
  return plan;
}

KnobPlan plan_host_knobs(const HostFiles& files, const HostWishes& wishes) {
  KnobPlan all;
  for (const HostKnob& knob : host_knob_rows) {
    append(all, plan_of(knob, files, wishes));
    if (knob.name == "turbo") keep_turbo_off(files, knob, all);
  }
  return all;
}

}  // namespace stepgate
