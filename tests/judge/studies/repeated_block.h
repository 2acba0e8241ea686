// A block of one step, for processes that run the calls of places twice.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "core/record/profile_run.h"

namespace stepgate {

inline constexpr double repeated_step_ns = 1e9;  ///< of the unchanged step

/// `step`: its length in unchanged steps.
inline VariantBlock repeated_block(std::string_view variant, double step) {
  return {.variant = std::string(variant), .wall_ns = std::llround(repeated_step_ns * step), .steps = 1};
}

}  // namespace stepgate
