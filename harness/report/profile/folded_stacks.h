// Folded stacks: one line per stack and its nanoseconds of one step, as flame graph programs read them.
#pragma once

#include <string>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// "forward;CharLm::forward (char_lm.cpp:61);aten::linear;aten::mm 1060000": boundary, the program's frames outermost
/// first, the calling operator, the operator; self time, mean over the processes. In alphabetical order.
std::string folded_stacks(const std::vector<const ObservedWork*>& processes);

}  // namespace stepgate
