#include "stats/trend/slot_noise.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stats/summary.h"
#include "stats/trend/difference_noise.h"

namespace stepgate {
namespace {

/// The weight is that of a stored baseline. Own choice for the deviation: half of a stored baseline's, because slots of
/// one evening differ less than sessions of several weeks, and t has few degrees of freedom here. With it a step of 10
/// % among 40 commits in 7 slots is certain enough for an alarm; with 2 % it was not.
constexpr double prior_sd = 0.01;
constexpr double prior_weight = 4;  // slots

/// Fewer differences of slots give no standard deviation that a spike filter could use. Own choice.
constexpr std::size_t least_differences = 4;

/// Of a point, by differences of neighbours.
double noise_of(const std::vector<double>& differences) {
  if (differences.empty()) return 0;
  // The median deviation of one or two values is 0 or arbitrary.
  if (differences.size() < 3) {
    double squares = 0;
    for (const double one : differences) squares += one * one;
    return std::sqrt(squares / static_cast<double>(differences.size()) / 2);
  }
  return robust_standard_deviation(differences) / std::sqrt(2.0);
}

double square(double value) { return value * value; }

}  // namespace

SlotNoise::SlotNoise(std::span<const double> values, std::span<const std::size_t> slots) {
  if (slots.empty()) return;
  if (slots.size() < values.size()) throw std::domain_error("SlotNoise: a slot is missing");
  std::vector<double> within;
  std::vector<double> between;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool begins = i == 0 || slots[i] != slots[i - 1];
    if (begins) run_begins_.push_back(i);
    run_of_.push_back(run_begins_.size() - 1);
    if (i > 0 && i < values.size()) (begins ? between : within).push_back(values[i] - values[i - 1]);
  }
  if (run_begins_.size() == slots.size()) {  // no slot is shared
    run_of_.clear();
    return;
  }
  run_begins_.push_back(slots.size());
  squares_before_.push_back(0);
  for (std::size_t run = 0; run + 1 < run_begins_.size(); ++run)
    squares_before_.push_back(squares_before_.back() +
                              square(static_cast<double>(run_begins_[run + 1] - run_begins_[run])));
  point_variance_ = square(std::max(noise_of(within), least_noise));
  point_freedom_ = std::max(1.0, static_cast<double>(within.size()) / 2);  // a median uses about a half of its values
  const double both = noise_of(between);
  if (between.size() >= least_differences) between_noise_ = both;
  const auto count = static_cast<double>(between.size());
  const double found = std::max(0.0, square(both) - point_variance_);
  slot_freedom_ = prior_weight + count;
  slot_variance_ = (prior_weight * square(prior_sd) + count * found) / slot_freedom_;
}

/// The sum of the squared numbers of points that each slot has in [begin, end).
double SlotNoise::squares_of_slots(std::size_t begin, std::size_t end) const {
  const std::size_t first = run_of_[begin];
  const std::size_t last = run_of_[end - 1];
  if (first == last) return square(static_cast<double>(end - begin));
  return square(static_cast<double>(run_begins_[first + 1] - begin)) +
         square(static_cast<double>(end - run_begins_[last])) + squares_before_[last] - squares_before_[first + 1];
}

bool SlotNoise::is_shared(std::size_t begin, std::size_t end) const {
  return !run_of_.empty() && begin < end && squares_of_slots(begin, end) > static_cast<double>(end - begin);
}

double SlotNoise::variance_of_mean(std::size_t begin, std::size_t end) const {
  const auto count = static_cast<double>(end - begin);
  return slot_variance_ * squares_of_slots(begin, end) / square(count) + point_variance_ / count;
}

LevelDifference SlotNoise::difference(const LevelSums& before, const LevelSums& after) const {
  const auto before_count = static_cast<double>(before.count());
  const auto after_count = static_cast<double>(after.count());
  double share = squares_of_slots(before.begin, before.end) / square(before_count) +
                 squares_of_slots(after.begin, after.end) / square(after_count);
  if (run_of_[before.end - 1] == run_of_[after.begin]) {
    const auto on_left = static_cast<double>(before.end - std::max(before.begin, run_begins_[run_of_[after.begin]]));
    const auto on_right = static_cast<double>(std::min(after.end, end_of_run(after.begin)) - after.begin);
    share -= 2 * on_left * on_right / (before_count * after_count);
  }
  const double of_slots = slot_variance_ * std::max(0.0, share);
  const double of_points = point_variance_ * (1 / before_count + 1 / after_count);
  // Satterthwaite, Biometrics Bulletin 2 (1946).
  const double freedom =
      square(of_slots + of_points) / (square(of_slots) / slot_freedom_ + square(of_points) / point_freedom_);
  return {after.mean - before.mean, std::sqrt(of_slots + of_points), freedom};
}

double noise_of_points(std::span<const double> values, std::span<const std::size_t> slots, double floor) {
  return std::max(difference_noise(values, floor), SlotNoise(values, slots).between_noise());
}

}  // namespace stepgate
