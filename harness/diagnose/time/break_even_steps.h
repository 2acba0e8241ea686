// After how many steps a step that starts slowly and runs fast has caught up with its twin.
#pragma once

#include <cstdint>
#include <optional>

#include "core/study/break_even.h"
#include "core/verdict/case_values.h"

namespace stepgate {

/// One way to run a step. Loading a compiled package at its first step is part of `first_step_ns`.
struct StartAndPace {
  double start_ns = 0;       ///< before the first step, where it is to count: compiling, loading
  double first_step_ns = 0;  ///< metric first_step_ns
  double step_ns = 0;        ///< metric step_time_ns
};

/// The first step after which `fast` has needed no more time in all than `twin`, its eager form: with first steps F and
/// f, later steps T and t, and starts S and s, the least n with s + f + (n - 1) t <= S + F + (n - 1) T. nullopt where
/// `fast` starts later and is not faster: it never catches up.
std::optional<std::int64_t> break_even_steps(const StartAndPace& fast, const StartAndPace& twin);

/// Adds what `values` has of a case to `known`, which keeps what it has: the two halves of a case may come from two
/// measurements.
void add_paced_values(const CaseValues& values, PacedCase& known);

/// Whether both times are known that a break-even needs.
bool has_pace(const PacedCase& one);

/// Throws std::invalid_argument where one of them has no pace.
BreakEvenStudy break_even_study(PacedCase fast, PacedCase twin);

}  // namespace stepgate
