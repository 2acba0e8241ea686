// A linear axis: its range, its ticks, and the position of a value in pixels.
#pragma once

#include <vector>

namespace stepgate {

struct AxisRange {
  double lower = 0;
  double upper = 1;
};

/// Ticks at 1, 2 or 5 times a power of ten that cover `data`, at least three; the range ends at the outer ones.
struct Ticks {
  AxisRange range;
  std::vector<double> at;
};
Ticks ticks_over(const AxisRange& data);

/// Pixels along an axis: `begin` is range.lower, `end` is range.upper. Values outside are moved to the edge.
struct PixelScale {
  AxisRange range;
  double begin = 0;
  double end = 1;

  double at(double value) const;
};

}  // namespace stepgate
