// A series that is analysed after every session, as a nightly job does.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lab/trend/trend_score.h"
#include "stats/trend/drift.h"

namespace stepgate::lab {

struct Alarm {
  std::size_t session;  ///< points that the series had
  FoundChange change;   ///< as found then
};

/// An alarm for each change that two analyses running find within 5 points of each other, unless one within 5 points
/// was reported before (docs/design/statistics.md, "Series over time"). `slots`: as for analyse_series().
std::vector<Alarm> alarms_of(const std::vector<double>& values, const std::vector<std::size_t>& slots = {});

/// The drift that two analyses running found.
std::optional<Drift> first_drift_alarm(const std::vector<double>& values);

/// The points that the series had when a nightly job was red for the first time: an alarm for the worse, or a drift.
std::optional<std::size_t> first_red(const std::vector<double>& values);

}  // namespace stepgate::lab
