// What a history holds about the metrics of a run, to be drawn beside them. No verdict depends on it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/metric_unit.h"

namespace stepgate {

/// A point of a series with its confirmed level.
struct MetricHistoryPoint {
  double value = 0;           ///< natural units
  double level = 0;           ///< confirmed, natural units; the value itself where the series has no levels
  bool spike = false;         ///< left out by the detection
  bool begins_level = false;  ///< a confirmed change lies between the point before and this one
  std::string commit = {};    ///< short
  std::string day = {};       ///< "2026-11-22"
};

/// One metric of one case.
struct MetricHistory {
  MetricUnit unit = MetricUnit::none;
  /// Points of the newest epoch under the key of this run, oldest first; empty if no epoch has its key.
  std::vector<MetricHistoryPoint> points = {};
  std::size_t earlier = 0;  ///< points before these, which are not drawn
  std::string note = {};    ///< why nothing is drawn, or why this run may lie beside the level; "" for neither
};

/// Histories by case and metric.
using CaseHistories = std::map<std::string, std::map<std::string, MetricHistory>>;

}  // namespace stepgate
