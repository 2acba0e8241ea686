// What the settings of a sweep are ranked by.
#pragma once

#include "core/metric.h"
#include "core/stored/policy.h"

namespace stepgate {

struct SweepRules {
  Direction direction = Direction::higher_is_better;
  Margins margins;      ///< a loss below `ignore` does not count; "does not help" rules out a gain of `matter`
  double level = 0.95;  ///< level of all statements together
};

}  // namespace stepgate
