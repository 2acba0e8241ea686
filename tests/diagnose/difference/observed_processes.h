// Processes of group profile as a loaded machine makes them: one factor for each process, noise for each row, and now
// and then a row that something else interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/record/profile_run.h"

namespace stepgate {

/// One operator call site of a simulated step.
struct SimulatedSite {
  std::string boundary;
  std::string name;
  std::string function;
  std::int64_t line = 0;
  double self_ns = 0;  ///< of one step
  std::int64_t calls = 1;
  std::int64_t bytes = 1000;
  std::string dtype = "float32";
};

struct SimulatedNoise {
  double machine = 0.15;      ///< each process is faster or slower by up to this share
  double least_row = 0.01;    ///< standard deviation of a row of one process, relative: from here
  double most_row = 0.04;     ///< up to here, by row
  double interrupted = 0.02;  ///< probability that a row of a process takes up to a third more
};

/// About char_lm: 80 sites in 9.3 ms, the largest 12 % of the step, half of them below 0.2 %.
inline std::vector<SimulatedSite> simulated_step() {
  std::vector<SimulatedSite> sites;
  double sum = 0;
  for (int i = 0; i < 80; ++i) {
    sites.push_back({.boundary = i % 3 == 0   ? "forward"
                                 : i % 3 == 1 ? "backward"
                                              : "optimizer",
                     .name = "aten::op" + std::to_string(i),
                     .function = "Model::part" + std::to_string(i % 5),
                     .line = 10 + i,
                     .self_ns = std::exp(-i / 8.0),
                     .calls = 1 + i % 7,
                     .bytes = 1000 + 8 * i});
    sum += sites.back().self_ns;
  }
  for (SimulatedSite& site : sites) site.self_ns *= 9.3e6 / sum;
  return sites;
}

class SimulatedMachine {
 public:
  explicit SimulatedMachine(std::uint64_t seed, const SimulatedNoise& noise = {}) : random_(seed), noise_(noise) {}

  ProfileRun process(const std::vector<SimulatedSite>& sites) {
    constexpr std::int64_t steps = 30;
    const double speed = 1 + noise_.machine * uniform(-1, 1);
    ProfileRun run;
    run.observed.emplace();
    run.observed->steps = steps;
    run.observed->frames_from = FramesFrom::lines;
    double wall = 0;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const double time = sites[i].self_ns * speed * row_noise(i);
      wall += time * steps;
      run.observed->places.push_back({.offsets = {}, .frames = {{sites[i].function, "model.cpp", sites[i].line}}});
      run.observed->sites.push_back({.boundary = sites[i].boundary,
                                     .name = sites[i].name,
                                     .place = i,
                                     .inputs = {{{8, 64}, {64, 1}, sites[i].dtype}},
                                     .calls = sites[i].calls * steps,
                                     .leaf_calls = sites[i].calls * steps,
                                     .bytes = sites[i].bytes * steps,
                                     .self_ns = static_cast<std::int64_t>(time * steps)});
    }
    run.unobserved_wall_ns = run.observed_wall_ns = static_cast<std::int64_t>(wall);
    return run;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }

  /// Rows differ in how noisy they are, always the same ones.
  double row_noise(std::size_t row) {
    const double share = static_cast<double>(row * 37 % 80) / 80;
    const double deviation = noise_.least_row + share * (noise_.most_row - noise_.least_row);
    double factor = std::exp(std::normal_distribution(0.0, deviation)(random_));
    if (uniform(0, 1) < noise_.interrupted) factor *= uniform(1, 1.33);
    return factor;
  }

  std::mt19937_64 random_;
  SimulatedNoise noise_;
};

}  // namespace stepgate
