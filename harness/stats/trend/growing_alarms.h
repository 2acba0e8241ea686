// The alarms of a job that analyses a series after every session, with the noise that was known then.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/trend/level_alarms.h"

namespace stepgate {

/// A series as it was measured, and what is known of the whole of it.
struct WholeSeries {
  std::span<const double> values;      ///< spikes are in it
  std::span<const std::size_t> slots;  ///< of the points; empty where each has its own
  double noise;                        ///< of the whole series
  SeriesFit fit;                       ///< likewise
};

/// Noise, spikes and the penalty of a change are those of the points so far, by next_noise_points(). So points to come,
/// however noisy, take no alarm back. Where the noise so far is that of the whole series within a quarter, the fit of
/// the whole series serves, because a fit takes most of the time. An alarm may still move by a few points: spikes are
/// told from steps by the points that follow.
std::vector<LevelAlarm> growing_alarms(const WholeSeries& series, const Confirmation& confirmation);

}  // namespace stepgate
