// The series of a history as one SVG, a panel each.
#pragma once

#include <cstddef>
#include <string>

#include "core/study/history_report.h"

namespace stepgate {

inline constexpr std::size_t most_history_panels = 20;

/// In each panel: the points in % of the first level (a hollow one is a spike), the levels as lines, a dashed line with
/// the commit at each change, every other epoch grey, the raw values at both ends. Only the first most_history_panels
/// series. Where a panel has more than two points for each pixel, the lowest and the highest of a pixel stand for all.
std::string render_history_plot(const HistoryReport& report);

}  // namespace stepgate
