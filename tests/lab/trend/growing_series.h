// A series that is analysed after every session, as a nightly job does.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lab/trend/trend_score.h"

namespace stepgate::lab {

struct Alarm {
  std::size_t session;  ///< points that the series had
  FoundChange change;   ///< as found then
};

/// An alarm for each change that two analyses running find within 5 points of each other, unless one within 5 points
/// was reported before (docs/design/statistics.md, "Series over time").
std::vector<Alarm> alarms_of(const std::vector<double>& values);

/// The number of points at which creep beyond the margin is reported: two analyses running found it. A single change
/// beyond the margin counts too; it is then also the alarm of that change.
std::optional<std::size_t> first_creep(const std::vector<double>& values, double creep_margin);

}  // namespace stepgate::lab
