// Which gains the measured boundaries of the step exclude.
#pragma once

#include <vector>

#include "core/study/profile.h"
#include "diagnose/profile/step/profile_input.h"

namespace stepgate {

/// Removing a boundary wins at most so many times what it takes: it may also leave more of the caches to the rest.
inline constexpr double room_for_caches = 1.5;

/// Removing a boundary cannot win more than it takes. If an experiment that removes one boundary has proven a gain
/// whose lower bound exceeds 1.5 times the boundary's share in the phase pass plus `ignore_margin`, the blocks were
/// disturbed: its word becomes undecided, without a number of processes that would decide, and its remark gives both
/// figures. Half as much again leaves room for caches that the boundary had filled.
/// Boundaries that the phase pass did not time exclude nothing. A gain of the synthetic batch is doubted where the
/// loader is too fast to limit the step. Uses profile.step, profile.components and profile.absent.
void doubt_implausible_gains(Profile& profile, double ignore_margin);

/// Whether the processes found that batches come too fast to be what limits the step (core/study/experiment.h). Not of
/// a step of less than 400 us, of which 20 us are a part that matters.
bool loader_is_too_fast(const Profile& profile);

/// The same bound from the other side: on a CPU, where 1.5 times the share of a boundary is at most
/// input.ignore_margin, an undecided experiment that removes it becomes refuted, and its remark gives the share. Noise
/// cannot keep a logging of 0.1 % of the step undecided. What was not measured refutes nothing. Two boundaries cost
/// more than their own time:
/// - Logging that holds graphs of past steps slows the whole step: refuted only where none were counted.
/// - The loader takes what a batch takes in the loader pass on each of the CPUs, since its workers may compete with the
///   step; not where a delay of it was proven to reach the step.
/// Uses input.timed (passes e2e, phase and loader) and input.exact.
void refute_gains_of_small_boundaries(const ProfileInput& input, std::vector<ExperimentResult>& experiments);

}  // namespace stepgate
