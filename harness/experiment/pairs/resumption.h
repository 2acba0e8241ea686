// How an interrupted A/B run goes on: with its seed, its plan and the processes that were complete.
//
// Below the output folder:
//   ab-unfinished.txt                               the seed of a run over several cases that is not finished
//   <case>/ab/ab.json                               the plan of one case, and whether it is complete
//   <case>/ab/pairs/000/{base,head}/measurement.json     written when both sides of a pair are there
//   <case>/ab/control/000/{base,twin}/measurement.json   the A/A control
//   <case>/ab/exact/{base,head}/measurement.json         and exact/more-000/... to confirm bytes
//   <case>/ab/seeds/000/{base,head}/measurement.json     training runs
// Older versions wrote the same files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/study/ab_plan.h"

namespace stepgate {

/// The seed of the run that is not finished in `out`: the next run takes it up, so that the same case is the control
/// again and every pair keeps its order. Absent where none is open, or where `wanted` is another one.
std::optional<std::uint64_t> unfinished_seed(const std::filesystem::path& out, std::optional<std::uint64_t> wanted);
void mark_unfinished(const std::filesystem::path& out, std::uint64_t seed);
void mark_finished(const std::filesystem::path& out);

struct Resumable {
  bool any_order = false;  ///< whatever the order of the interrupted run was drawn from
  bool complete = false;   ///< a case that was complete stays so: the run over several cases goes on
};

/// The plan in `folder` where it is of the same comparison as `wanted` and may go on.
std::optional<AbPlan> interrupted_plan(const std::filesystem::path& folder, const AbPlan& wanted,
                                       const Resumable& allowed);

/// Clears what lies in `folder` and writes the plan there.
void begin_plan(const std::filesystem::path& folder, const AbPlan& plan);

/// Marks the plan as complete: the next run begins anew.
void complete_plan(const std::filesystem::path& folder, AbPlan& plan);

}  // namespace stepgate
