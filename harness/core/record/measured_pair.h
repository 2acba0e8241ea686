// What an A/B run measures: a process of the base build and one of the head build, one right after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "core/record/measurement.h"

namespace stepgate {

/// One pair of fresh processes of group timed. Where one of them failed or was interrupted the other may be missing.
struct MeasuredPair {
  std::int64_t index = 0;   ///< of the drawn order: the same index always has the same order
  bool head_first = false;  ///< which of the two ran first
  Measurement base;         ///< one replicate
  Measurement head;
};

}  // namespace stepgate
