// Source frames behind the program offsets that an observer recorded.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// Frames of one offset, innermost first, as addr2line prints them: with every inlined function.
using FramesByOffset = std::map<std::uint64_t, std::vector<SourceFrame>>;

}  // namespace stepgate
