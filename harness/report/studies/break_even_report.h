// A compiled step or a CUDA graph beside its eager twin as text: `stepgate report --twin`.
#pragma once

#include <string>

#include "core/study/break_even.h"

namespace stepgate {

/// First step, later steps, graphs and the time to compile of both, and after how many steps the first of them has
/// caught up.
std::string render_break_even(const BreakEvenStudy& study);

}  // namespace stepgate
