// The time of one call on a device, measured over many calls.
#pragma once

#include <cstdint>
#include <functional>

#include "measure/device/backend.h"

namespace stepgate {

/// Median over the trials, each of as many calls as take 0.2 ms, within about `budget_ns` and at least three trials.
/// The device is idle before and after each trial.
std::int64_t call_time_ns(Backend& backend, const std::function<void()>& call, std::int64_t budget_ns);

/// The fastest of these trials: what the machine can reach, which a busy moment hides from a median.
std::int64_t fastest_call_ns(Backend& backend, const std::function<void()>& call, std::int64_t budget_ns);

}  // namespace stepgate
