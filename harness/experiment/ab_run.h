// The cases of an A/B run, one after the other, the control's first.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "experiment/ab_judging.h"
#include "experiment/context.h"

namespace stepgate {

/// What the cases of one run share.
struct AbRun {
  const Context& head;
  Context base;
  const std::atomic<int>& interrupted;
  bool decides_bytes = true;                            ///< false: the exact half is held against stored files
  bool resuming = false;                                ///< see AbOpening
  std::optional<ControlResult> control = std::nullopt;  ///< once its case was measured
};

/// Measures one case; the first one of a run that wants a timed half is also the control's.
/// Absent after an interruption: what was complete is kept for the next run.
struct AbDone {
  AbCase ab;
  AbMeasured measured;
};
std::optional<AbDone> run_ab_case(AbRun& run, const ManifestCase& entry);

/// A run over several cases that is not finished leaves its seed in <out>/ab-unfinished.txt: the next run takes it up,
/// so that the same case is the control again and every pair keeps its order. Absent where none is open, or where
/// --order-seed asks for another one.
std::optional<std::uint64_t> unfinished_seed(const Options& options);
void mark_unfinished(const Context& head, std::uint64_t seed);
void mark_finished(const Context& head);

/// `cases` with the one first that serves as control; it rotates with the seed of the order.
std::vector<ManifestCase> control_first(std::vector<ManifestCase> cases, std::uint64_t seed);

/// Whether the base build lacks the case; says so on stderr.
bool is_new_case(const Context& base, const ManifestCase& entry);

}  // namespace stepgate
