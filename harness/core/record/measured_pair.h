// What an A/B run measures: a process of the base build and one of the head build, right after each other.
#pragma once

#include <cstdint>
#include <vector>

#include "core/record/measurement.h"

namespace stepgate {

/// One pair of fresh processes of group timed. If one of them failed or was interrupted, the other may be missing.
struct MeasuredPair {
  std::int64_t index = 0;   ///< position in the drawn order: the same index always has the same order of sides
  bool head_first = false;  ///< true: the head process ran first
  Measurement base;         ///< one replicate
  Measurement head;
};

}  // namespace stepgate
