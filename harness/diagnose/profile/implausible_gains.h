// Which gains the measured boundaries of the step exclude.
#pragma once

#include "core/study/profile.h"

namespace stepgate {

/// Removing a boundary cannot win more than it takes. Where an experiment that removes one boundary has proven a gain
/// whose lower bound exceeds 1.5 times the boundary's share in the phase pass plus `ignore_margin`, the blocks were
/// disturbed: its word becomes undecided, without a number of processes that would decide, and its remark gives both
/// figures. Half as much again leaves room for caches that the boundary had filled.
/// Boundaries that the phase pass did not time exclude nothing. Uses profile.step and profile.components.
void doubt_implausible_gains(Profile& profile, double ignore_margin);

}  // namespace stepgate
