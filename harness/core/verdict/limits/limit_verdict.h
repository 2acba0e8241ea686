// What a floor, a budget or a target says of the measured values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/stored/absolute_limit.h"

namespace stepgate {

enum class LimitOutcome {
  met,
  missed,
  undecided,  ///< the processes do not show on which side of the limit the value lies
  unchecked,  ///< the metric was not measured, or a value of it is not finite
  not_judged  ///< the way of measuring gives no value, whatever the program does
};

std::string_view name_of(LimitOutcome outcome);  ///< "met", "missed", "undecided", "unchecked", "not-judged"
std::optional<LimitOutcome> limit_outcome_named(std::string_view name);

/// Where the value lies, in the unit of the metric, by the processes of this run.
struct ValueBounds {
  double lower = 0;
  double upper = 0;
};

struct LimitVerdict {
  AbsoluteLimit limit = {};
  LimitOutcome outcome = LimitOutcome::unchecked;
  std::optional<double> current = {};     ///< times and rates: geometric mean; counts and bytes: the worst value
  std::optional<ValueBounds> range = {};  ///< times and rates of two processes or more
  std::int64_t processes = 0;             ///< with a value
  bool newly_met = false;                 ///< a target that the other side did not meet, and the change is proven
  std::string why = {};                   ///< of what is undecided, unchecked or not judged, "" for the others
};

/// "samples at least 4 000 samples/s": what is asked for.
std::string asked_text(const AbsoluteLimit& limit);

/// "met", "not met" for a target, "missed" for a floor or budget, "undecided", "unchecked", "not judged".
std::string_view outcome_text(const LimitVerdict& verdict);

/// "4 480 samples/s [4 410 samples/s, 4 560 samples/s] over 5 processes", and why the answer is open; "" for nothing.
std::string measured_text(const LimitVerdict& verdict);

/// "samples at least 4 000 samples/s: met, 4 480 samples/s [4 410 samples/s, 4 560 samples/s] over 5 processes"
std::string text_of(const LimitVerdict& verdict);

}  // namespace stepgate
