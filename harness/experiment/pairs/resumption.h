// How an interrupted A/B run goes on: with its seed, its plan and the processes that were complete. Pairs of two runs
// may be joined only where nothing but the interruption lies between them: the same builds, policy, counts and machine,
// no restart of the machine, and a short pause.
//
// Below the output folder:
//   ab-unfinished.txt                               the seed of a run over several cases that is not finished
//   <case>/ab/ab.json                               the plan of one case, and whether it is complete
//   <case>/ab/pairs/000/{base,head}/measurement.json     written when both sides of a pair are there
//   <case>/ab/control/000/{base,twin}/measurement.json   the A/A control; twin is the A/A copy
//   <case>/ab/exact/{base,head}/measurement.json         and exact/more-000/... to confirm bytes
//   <case>/ab/seeds/000/{base,head}/measurement.json     training runs
//   <case>/ab/observed/000/{base,head}/measurement.json  which lines take the time
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/study/ab_plan.h"

namespace stepgate {

/// The distance of two sessions (core/stored/policy.h): after it the machine may be in another state.
inline constexpr std::int64_t longest_pause_s = 1800;

/// The seed of the run that is not finished in `out`: the next run takes it up, so that the same case is the control
/// again and every pair keeps its order. Absent where none is open, or where `wanted` is another one. Throws
/// Error(measure) where the file holds no seed.
std::optional<std::uint64_t> unfinished_seed(const std::filesystem::path& out, std::optional<std::uint64_t> wanted);
void mark_unfinished(const std::filesystem::path& out, std::uint64_t seed);
void mark_finished(const std::filesystem::path& out);

/// Why processes below these folders of cases must not be joined with ones that begin at `now_unix_s`: the newest of
/// them began longest_pause_s before, or more. "" where they may be, or where there are none.
std::string too_long_ago(const std::vector<std::filesystem::path>& folders, std::int64_t now_unix_s);

struct Resumable {
  bool any_order = false;       ///< whatever the order of the interrupted run was drawn from
  bool complete = false;        ///< a case that was complete stays so: the run over several cases goes on
  std::int64_t now_unix_s = 0;  ///< a plan that is not complete goes on only if its last process is recent enough
};

struct Resumption {
  std::optional<AbPlan> plan = {};  ///< the one that goes on
  std::string refusal = {};         ///< why the interrupted plan does not go on; "" if there is none
};

/// The plan in `folder` where it is of the same comparison as `wanted` and may go on.
Resumption interrupted_plan(const std::filesystem::path& folder, const AbPlan& wanted, const Resumable& allowed);

/// Clears what lies in `folder` and writes the plan there.
void begin_plan(const std::filesystem::path& folder, const AbPlan& plan);

/// Marks the plan as complete: the next run begins anew.
void complete_plan(const std::filesystem::path& folder, AbPlan& plan);

}  // namespace stepgate
