// The change between two groups of processes measured one after the other: the fallback where nothing was interleaved.
#pragma once

#include <span>

#include "judge/interval/decision.h"

namespace stepgate {

/// Welch's difference (stats/welch.h) of logs signed so that larger is worse, its spread floored by the timer
/// resolution. Order and drift of the machine are confounded with the change, so it may word a comparison and never
/// turns a gate red. A value that is not finite, fewer than two in a group, or groups without any spread certify
/// nothing: standard error and degrees of freedom are 0, which decide() calls inconclusive.
Estimate welch_estimate(std::span<const double> base, std::span<const double> head);

}  // namespace stepgate
