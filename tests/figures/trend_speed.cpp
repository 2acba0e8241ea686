// Measures the time of analysing a million points: as many short series and as one long one, also of shapes that leave
// many pieces to the exact segmentation. Prints figures and asserts nothing, because machines differ. ci/lab_trend
// prints the time of a peer beside them.
#include <fmt/format.h>

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "stats/trend/series_analysis.h"

namespace {

constexpr std::size_t total_points = 1'000'000;
constexpr std::size_t points_a_series = 200;
constexpr int runs = 3;

struct Shape {
  std::string name;
  double noise = 0.01;
  double floor = 0;       ///< of the noise that the analysis assumes
  double step_every = 0;  ///< points; each step is 3 %
  double slope = 0;       ///< for each point
  double walk = 0;        ///< standard deviation for each point
};

std::vector<double> draw(const Shape& shape, std::size_t points, std::mt19937_64& generator) {
  boost::random::normal_distribution<double> normal;
  std::vector<double> values;
  double level = 20;
  for (std::size_t i = 0; i < points; ++i) {
    if (shape.step_every > 0 && i > 0 && i % static_cast<std::size_t>(shape.step_every) == 0) {
      level += normal(generator) > 0 ? 0.03 : -0.03;
    }
    level += shape.slope + shape.walk * normal(generator);
    values.push_back(level + shape.noise * normal(generator));
  }
  return values;
}

/// Least seconds of three runs.
double seconds_of(const std::vector<std::vector<double>>& all_series, double floor, std::size_t& changes) {
  double least = 1e9;
  for (int run = 0; run < runs; ++run) {
    changes = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const std::vector<double>& values : all_series) {
      changes += stepgate::analyse_series(values, {.noise_floor = floor}).changes.size();
    }
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

void print_time(const Shape& shape, std::size_t points) {
  std::mt19937_64 generator(20261123);
  std::vector<std::vector<double>> all_series;
  for (std::size_t i = 0; i < total_points / points; ++i) all_series.push_back(draw(shape, points, generator));
  std::size_t changes = 0;
  const double seconds = seconds_of(all_series, shape.floor, changes);
  fmt::print("{:>7} x {:<8} {:<28} {:.3f} s, {} changes\n", all_series.size(), points, shape.name, seconds, changes);
}

}  // namespace

int main() {
  const std::vector<Shape> shapes = {{.name = "no change"},
                                     {.name = "a step of 3 % in 50 points", .step_every = 50},
                                     {.name = "random walk of 0.1 %", .walk = 0.001},
                                     {.name = "random walk of 1 %", .walk = 0.01},
                                     {.name = "slope of 0.001 % a point", .slope = 1e-5},
                                     {.name = "slope of 1 % a point", .slope = 0.01}};
  // The exact segmentation keeps a piece for each point where values rise evenly and far below the assumed noise.
  const Shape worst = {.name = "even slope below the noise", .noise = 0, .floor = 0.01, .slope = 1e-5};
  fmt::print("least of {} runs, one thread\n", runs);
  for (const Shape& shape : shapes) print_time(shape, points_a_series);
  for (const Shape& shape : shapes) print_time(shape, total_points);
  print_time(worst, points_a_series);
  print_time(worst, total_points);
  return 0;
}
