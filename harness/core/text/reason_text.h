// A reason that a person gives for a change: of a baseline, of a waiver, of a metric that varies.
#pragma once

#include <string_view>

namespace stepgate {

/// Neither blank nor only dots. A command or a policy entry that stepgate prints for copying has "..." in its place.
bool says_a_reason(std::string_view text);

}  // namespace stepgate
