// The operator whose other form would win most, by replays of single operators.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/measurement.h"

namespace stepgate {

struct ReplayGain {
  std::string site;            ///< "aten::mm in forward"
  std::string form;            ///< "padded to 16"
  std::vector<double> shares;  ///< one per process: the operator's share of the step * (1 - T(form) / T(as recorded))
};

/// The (operator, form) with the largest mean over the clean processes; processes join by operator, boundary and sizes
/// of its operands. Operators whose work takes less time than the cheapest call are left out. 0 in each process where
/// even the best form is slower; none is above 1. Absent if no process
/// replayed an operator both as recorded and in another form.
std::optional<ReplayGain> best_replay_gain(const Measurement& profile);

}  // namespace stepgate
