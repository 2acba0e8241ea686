// Generated series of results over time, with steps at known places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/noise_model.h"

namespace stepgate::lab {

struct TrueStep {
  std::size_t index;  ///< first point of the new level
  double log_change;
};

struct StepSeries {
  std::vector<double> values;  ///< logarithms, oldest first
  std::vector<double> levels;  ///< the values without noise: steps and random walk
  std::vector<TrueStep> steps;
};

struct TrendFamily {
  NoiseModel noise;
  double walk_sd = 0;  ///< random walk of the level, for each session
};

/// Independent noise of 1 %, quiet, heavy tails, dependent on the session before, spikes, two modes, random walk.
std::vector<TrendFamily> trend_families();

/// One value a session.
StepSeries draw_series(const TrendFamily& family, std::size_t points, std::vector<TrueStep> steps, std::uint64_t seed);

/// 0 to 4 steps of 2 to 8 %, up or down, at least 15 points from each other and from the ends.
std::vector<TrueStep> draw_steps(std::size_t points, std::uint64_t seed);

}  // namespace stepgate::lab
