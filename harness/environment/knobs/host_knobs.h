// The knobs of the host: one row per knob. A new knob is a row here and a planner in a file of its own.
#pragma once

#include <span>
#include <string_view>

#include "environment/knobs/knob_plan.h"
#include "system/descriptor.h"

namespace stepgate {

/// A planner reads the machine and changes nothing. It answers with changes, which the guard applies and restores by
/// their kind (environment/knobs/host_change.h), or with one settled report. The `restore_rank` of its changes is
/// relative to the rank of its row: 0 for nearly all.
using KnobPlanner = KnobPlan (*)(const HostFiles& files, const HostWishes& wishes);

/// Opens what has to stay open as long as the knob is set, and completes the report. Closed: the knob could not be set.
using KnobHolder = Descriptor (*)(const HostFiles& files, KnobReport& report);

struct HostKnob {
  std::string_view name;  ///< in --knobs, reports, baselines and journals
  std::string_view sets;  ///< what it sets, as `stepgate doctor` says it
  KnobPlanner plan;
  /// Changes of a lower rank are restored earlier, those of equal rank in reverse order of application.
  int restore_rank = 0;
  /// The knob whose setting moves this one by itself; "" for none. If that knob was set, this one is restored even
  /// if its value is not the one stepgate wrote.
  std::string_view moved_by = "";
  /// For a setting that the kernel drops when a file is closed: it needs no journal. The plan reports `available`.
  KnobHolder hold = nullptr;
  bool of_gpu = false;  ///< set through the GPU's driver, which refuses only when it is set
};

/// All knobs in the order of application: interrupts and partition first, since both say where things may run; then
/// governor, energy preference, limits and turbo, each of which can move the ones before it; then the kernel's own
/// switches and the GPU.
std::span<const HostKnob> host_knobs();

/// nullptr if no knob has that name: a newer stepgate may have written the journal.
const HostKnob* find_host_knob(std::string_view name);

/// `moved_by` of the knob's row; "" if there is no such row.
std::string_view mover_of(std::string_view knob);

/// The plan of one knob, with the restore ranks of its row.
KnobPlan plan_of(const HostKnob& knob, const HostFiles& files, const HostWishes& wishes);

/// Everything that mode host would set on this machine. Every knob appears, with changes or with one settled report;
/// those of a GPU only if `wishes` have one or name a clock.
///
/// Call it after a recovery, never before one: it would take what a dead run left for the original.
KnobPlan plan_host_knobs(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
