// What one of two resources wins, where an experiment could only remove both of them.
#pragma once

#include "core/verdict/verdict.h"

namespace stepgate {

/// 1 - T(neither)/T is `both` and 1 - T(neither)/T(without the other) is `other`: then 1 - T(without the other)/T is
/// 1 - (1 - both)/(1 - other). Its bounds take the worst corner of both intervals, so that it is wrong no more often
/// than they are. `other` must be below 1.
inline Interval gain_beyond(const Interval& both, const Interval& other) {
  return {1 - (1 - both.lower) / (1 - other.upper), 1 - (1 - both.upper) / (1 - other.lower)};
}

}  // namespace stepgate
