// What do the operator calls of a place cost? The step while they run twice, against the step as it is.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/record/measurement.h"
#include "core/study/profile.h"
#include "judge/studies/experiment_verdict.h"

namespace stepgate {

struct RepeatedProcesses {
  const Measurement& repeats;
  /// Those with an index below it are of the first look, which runs all places. Those of the second run some of them.
  std::int64_t first_look = std::numeric_limits<std::int64_t>::max();
  /// Results of the first look, at its level, of places that the second did not run: they hold as they are.
  std::vector<CallCost> ended = {};
};

/// Pure. `places` come with their names; `processes` ran the calls of each of them twice. The unit is one clean process
/// of group profile. Its cost of a place is, with T = wall time / steps of the blocks of a round,
///   median over the rounds of (T(place) - T(passed) - calls * ProfileRun::repeating_ns) / T(unchanged)
/// Passed, not unchanged: what it costs that all calls go through the repeater is no cost of the place, and neither is
/// what it costs to repeat one. On a GPU, where a step may not wait for the host, that makes the cost at most too
/// small. The effect is the mean over the processes in which calls of the place ran twice; those of the second look
/// count more, and each look has a scatter of its own (judge/studies/mean_of_looks.h).
///
/// `most_repeating` of a place is 2 * calls * ProfileRun::repeating_ns / T(unchanged): within a step, whose caches are
/// colder, repeating a call costs up to three times what the process measured. Its `most_overshoot` grows by that.
///
/// Interval: effect -+ t * s / sqrt(n) at level 1 - (1 - rules.level) / K for the K places with an effect (Bonferroni).
/// A handful of processes leave few degrees of freedom, and the places of a profile are measured alike, on the same
/// machine in the same rounds. So their scatter is pooled. But calls that scatter by themselves must not hide among
/// quiet ones: s^2 is the larger of the own and of the pooled variance. The places of a round are compared with the
/// same passed blocks, which correlates two of them by up to 1/2 and their variances by 1/4. So the pooled variance has
/// sum of (n - 1) / (1 + (K - 1) / 4) degrees of freedom. An interval whose own variance is larger is not exact. By
/// simulation all intervals of 8 places and 6 processes hold together in at least 95 % if the variances are equal or
/// differ 1:2 or 1:9, with common passed blocks or without (tests/judge/studies/call_costs_test.cpp).
///
/// Words: proven if the lower bound is above rules.ignore_margin, refuted if the upper one is below it, else undecided.
/// Without an effect `absent` says why: what a process says itself, that no call ran on the step's thread, or that
/// fewer than two clean processes ran it. Proven ones come first (rank_of), then by effect, most first; places without
/// an effect last, in their order.
std::vector<CallCost> call_costs(std::vector<CallCost> places, const RepeatedProcesses& processes,
                                 const ExperimentRules& rules = {});

/// The names of the places that a second look runs: those that are undecided and may win 5 % of the step, and those of
/// 5 % or more whose gain is told with an interval wider than half of the effect. With fewer places each has more
/// rounds.
std::vector<std::string> places_of_next_look(const std::vector<CallCost>& now);

/// Of `results`, those that a second look of the places `chosen` leaves as they are.
std::vector<CallCost> ended_before(std::vector<CallCost> results, const std::vector<std::string>& chosen);

}  // namespace stepgate
