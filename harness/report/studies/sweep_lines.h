// The settings of a sweep that a plot shows, sorted into lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/study/sweep.h"

namespace stepgate {

struct PlotPoint {
  std::size_t column = 0;             ///< index into SweepLines::columns
  const SettingRank* rank = nullptr;  ///< with a median, or of a setting that failed
};

struct PlotLine {
  std::string label;  ///< "threads=2"; "" if there is only one line
  std::vector<PlotPoint> points;
};

struct SweepLines {
  std::size_t x = 0;                 ///< the parameter along the axis
  std::vector<std::string> columns;  ///< its values: numbers in ascending order, others as given
  std::vector<PlotLine> lines;
  std::string held;  ///< "pin=1": the other parameters, at the best setting's values
};

/// The first parameter with more than one value becomes the axis, the second gives the lines. Refers to `sweep`. Absent
/// if nothing was ranked.
std::optional<SweepLines> lines_of(const Sweep& sweep);

}  // namespace stepgate
