#include "lab/trend/trend_series.h"

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <random>

#include "lab/noisy_machine.h"

namespace stepgate::lab {
namespace {

constexpr std::size_t most_steps = 4;
constexpr std::size_t least_distance = 15;
constexpr double smallest_step = 0.02;
constexpr double largest_step = 0.08;

bool has_room(const std::vector<TrueStep>& steps, std::size_t index) {
  return std::all_of(steps.begin(), steps.end(), [&](const TrueStep& step) {
    return std::max(step.index, index) - std::min(step.index, index) >= least_distance;
  });
}

/// 0 before it begins, 1 where it has added up.
double shape_at(const DriftPlan& plan, std::size_t session) {
  if (session < plan.lead) return 0;
  const double gone = static_cast<double>(session - plan.lead + 1) / static_cast<double>(plan.rise);
  constexpr double half_turn = 3.14159265358979323846;
  constexpr std::size_t stair = 5;
  switch (plan.shape) {
    case DriftShape::ramp_and_plateau:
      return std::min(1.0, gone);
    case DriftShape::ramp:
      return gone;
    case DriftShape::stairs:
      return std::floor(gone * static_cast<double>(plan.rise) / stair) * stair / static_cast<double>(plan.rise);
    case DriftShape::slow_wave:
      return (1 - std::cos(half_turn * gone)) / 2;
  }
  return 0;
}

}  // namespace

std::vector<TrendFamily> trend_families() {
  return {
      {{.name = "independent", .process_sd = 0.01}},
      {{.name = "quiet", .process_sd = 0.003}},
      {{.name = "heavy-tails", .process_sd = 0.01, .tail_freedom = 3}},
      {{.name = "dependent", .process_sd = 0, .slot_ar = 0.5, .slot_sd = 0.01}},
      {{.name = "spikes", .process_sd = 0.01, .spike_share = 0.03, .spike_size = 0.3}},
      {{.name = "two-modes", .process_sd = 0.005, .second_mode_share = 0.3, .second_mode_shift = 0.03}},
      {{.name = "random-walk", .process_sd = 0.01}, 0.001},
  };
}

StepSeries draw_series(const TrendFamily& family, std::size_t points, std::vector<TrueStep> steps, std::uint64_t seed) {
  NoisyMachine machine(family.noise, seed);
  StepSeries series;
  double level = 0;
  for (std::size_t i = 0; i < points; ++i) {
    for (const TrueStep& step : steps) level += step.index == i ? step.log_change : 0;
    if (family.walk_sd > 0) level += family.walk_sd * machine.normal();
    series.levels.push_back(level);
    series.values.push_back(level + machine.session_value(1));
  }
  series.steps = std::move(steps);
  return series;
}

std::vector<DriftShape> drift_shapes() {
  return {DriftShape::ramp_and_plateau, DriftShape::ramp, DriftShape::stairs, DriftShape::slow_wave};
}

std::string_view name_of(DriftShape shape) {
  constexpr std::array<std::string_view, 4> names = {"ramp and plateau", "ramp", "stairs", "slow wave"};
  return names[static_cast<std::size_t>(shape)];
}

StepSeries draw_drift(const TrendFamily& family, const DriftPlan& plan, std::uint64_t seed) {
  StepSeries series = draw_series(family, plan.points, {}, seed);
  for (std::size_t i = 0; i < plan.points; ++i) {
    const double moved = std::log1p(plan.height) * shape_at(plan, i);
    series.levels[i] += moved;
    series.values[i] += moved;
  }
  return series;
}

StepSeries draw_bursts(const BurstPlan& plan, std::uint64_t seed) {
  const NoiseModel noise{.name = "burst", .process_sd = plan.point_sd};
  NoisyMachine machine(noise, seed);
  StepSeries series;
  double level = 0;
  double of_slot = 0;
  for (std::size_t i = 0; i < plan.points; ++i) {
    for (const TrueStep& step : plan.steps) level += step.index == i ? step.log_change : 0;
    if (i % plan.in_slot == 0) of_slot = plan.slot_sd * machine.normal();
    series.levels.push_back(level);
    series.values.push_back(level + of_slot + machine.session_value(1));
  }
  series.steps = plan.steps;
  return series;
}

std::vector<std::size_t> slots_of(const BurstPlan& plan) {
  std::vector<std::size_t> slots;
  for (std::size_t i = 0; i < plan.points; ++i) slots.push_back(i / plan.in_slot);
  return slots;
}

std::vector<TrueStep> draw_steps(std::size_t points, std::uint64_t seed) {
  std::mt19937_64 generator(seed ^ 0x5bf03635a1c2d4e7U);  // apart from the noise of the same seed
  boost::random::uniform_int_distribution<std::size_t> places(least_distance, points - least_distance);
  boost::random::uniform_real_distribution<double> sizes(smallest_step, largest_step);
  const std::size_t count = boost::random::uniform_int_distribution<std::size_t>(0, most_steps)(generator);
  std::vector<TrueStep> steps;
  while (steps.size() < count) {
    const std::size_t index = places(generator);
    const double size = std::log1p(sizes(generator));
    const bool up = boost::random::uniform_int_distribution<int>(0, 1)(generator) == 1;
    if (has_room(steps, index)) steps.push_back({index, up ? size : -size});
  }
  std::sort(steps.begin(), steps.end(), [](const TrueStep& a, const TrueStep& b) { return a.index < b.index; });
  return steps;
}

}  // namespace stepgate::lab
