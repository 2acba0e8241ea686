// Factors between units.
#pragma once

namespace stepgate {

inline constexpr double ns_per_s = 1e9;

}  // namespace stepgate
