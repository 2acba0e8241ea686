// The cases of an A/B run, one after the other, the control's first.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "cli/ab_judging.h"
#include "cli/context.h"

namespace stepgate {

/// What the cases of one run share.
struct AbRun {
  const Context& head;
  Context base;
  const std::atomic<int>& interrupted;
  std::optional<ControlResult> control = std::nullopt;  ///< once its case was measured
};

/// Measures one case; the first one of a run that wants a timed half is also the control's.
/// Absent after an interruption: what was complete is kept for the next run.
struct AbDone {
  AbCase ab;
  AbMeasured measured;
};
std::optional<AbDone> run_ab_case(AbRun& run, const ManifestCase& entry);

/// `cases` with the one first that serves as control; it rotates with the seed of the order.
std::vector<ManifestCase> control_first(std::vector<ManifestCase> cases, const Context& head);

}  // namespace stepgate
