// Generated series of results over time, with steps at known places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
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

/// How a level moves without a step that stands out.
enum class DriftShape {
  ramp_and_plateau,  ///< rises to `height` and stays there
  ramp,              ///< rises on
  stairs,            ///< rises on by steps, one in five sessions
  slow_wave          ///< goes up and down again by `height`
};
std::vector<DriftShape> drift_shapes();
std::string_view name_of(DriftShape shape);

struct DriftPlan {
  DriftShape shape = DriftShape::ramp_and_plateau;
  double height = 0.05;      ///< relative
  std::size_t lead = 30;     ///< sessions before it begins
  std::size_t rise = 40;     ///< sessions until it adds up to `height`
  std::size_t points = 100;  ///< sessions in all
};

/// A series of this family whose level moves so.
StepSeries draw_drift(const TrendFamily& family, const DriftPlan& plan, std::uint64_t seed);

/// A series of commits that were measured in bursts: `in_slot` of them share one draw of the slot's error.
struct BurstPlan {
  std::size_t points = 40;
  std::size_t in_slot = 6;
  double slot_sd = 0.01;
  double point_sd = 0.003;
  std::vector<TrueStep> steps = {};
};
StepSeries draw_bursts(const BurstPlan& plan, std::uint64_t seed);
std::vector<std::size_t> slots_of(const BurstPlan& plan);

/// 0 to 4 steps of 2 to 8 %, up or down, at least 15 points from each other and from the ends.
std::vector<TrueStep> draw_steps(std::size_t points, std::uint64_t seed);

}  // namespace stepgate::lab
