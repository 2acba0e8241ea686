// What do the operator calls of a place cost? The step while they run twice, against the step as it is.
#pragma once

#include <vector>

#include "core/record/measurement.h"
#include "core/study/profile.h"
#include "judge/studies/experiment_verdict.h"

namespace stepgate {

/// Pure. `places` come with their names; `repeats` has the processes that ran the calls of each of them twice. The unit
/// is one clean process of group profile. Its cost of a place is, with T = wall time / steps of the blocks of a round,
///   median over the rounds of (T(place) - T(passed) - calls * ProfileRun::repeating_ns) / T(unchanged)
/// Passed, not unchanged: what it costs that all calls go through the repeater is no cost of the place, and neither is
/// what it costs to repeat one. On a GPU, where a step may not wait for the host, that makes the cost at most too
/// small. The effect is the mean over the processes in which calls of the place ran twice.
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
std::vector<CallCost> call_costs(std::vector<CallCost> places, const Measurement& repeats,
                                 const ExperimentRules& rules = {});

}  // namespace stepgate
