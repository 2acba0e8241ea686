#include "judge/reduce/reduce_levels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "stats/slope.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// If one rise is so many times any other, it does not belong to what each step adds. A container that doubles has a
/// factor of 2.
constexpr double one_jump = 4;

/// Steps without a rise before the first and after the last one are at most so many times the longest gap between two.
/// A container that doubles waits twice as long each time. What stops for longer has filled a cache.
constexpr std::size_t most_gaps = 2;

/// A cache that is filled in two parts looks like two chunks. Three of 16 steps each fit into the steps that are
/// followed (measure/passes/exact/heap_watch.h).
constexpr std::ptrdiff_t least_chunks = 3;

/// As most_gaps, for chunks. So what has come to an end in the first third of the steps is never growth.
constexpr std::size_t most_gaps_of_chunks = 1;

using Levels = std::vector<double>;

std::vector<double> rises_of(const Levels& levels) {
  std::vector<double> rises;
  for (std::size_t step = 1; step < levels.size(); ++step) rises.push_back(levels[step] - levels[step - 1]);
  return rises;
}

/// The one rise that does not repeat: a buffer made late, or what a thread keeps for itself.
struct OneRise {
  std::size_t step;  ///< its level is the first with it
  double height;
  double second;  ///< the largest of the others
};

std::optional<OneRise> one_rise(const Levels& levels) {
  std::vector<double> rises = rises_of(levels);
  const auto largest = std::max_element(rises.begin(), rises.end());
  const auto at = static_cast<std::size_t>(largest - rises.begin());
  const double height = std::exchange(rises[at], 0);
  const double second = *std::max_element(rises.begin(), rises.end());
  if (height <= 0 || height < one_jump * second) return std::nullopt;
  return OneRise{at + 1, height, second};
}

/// Lower by `height` from that step on.
Levels lowered(Levels levels, std::size_t step, double height) {
  for (std::size_t i = step; i < levels.size(); ++i) levels[i] -= height;
  return levels;
}

/// A rise that stays: from its step on every level lies above every earlier one.
struct LastingRise {
  std::size_t step;
  double height;  ///< from the highest level before to the lowest one after
};

std::vector<LastingRise> lasting_rises(const Levels& levels) {
  Levels lowest_after = levels;
  for (std::size_t i = levels.size() - 1; i-- > 0;) lowest_after[i] = std::min(levels[i], lowest_after[i + 1]);
  std::vector<LastingRise> rises;
  double highest = levels.front();
  for (std::size_t step = 1; step < levels.size(); ++step) {
    if (lowest_after[step] > highest) rises.push_back({step, lowest_after[step] - highest});
    highest = std::max(highest, levels[step]);
  }
  return rises;
}

struct RepeatLimits {
  double least = 0;              ///< height of a rise
  std::size_t gaps = most_gaps;  ///< longest stretch without one, in times the longest gap between two
};

/// The rises of like size where there are two or more and no stretch without one is too long. Else none: one rise, or
/// rises that came to an end.
std::vector<LastingRise> repeated_rises(const Levels& levels, const RepeatLimits& limits = {}) {
  std::vector<LastingRise> rises = lasting_rises(levels);
  std::erase_if(rises, [&](const LastingRise& rise) { return rise.height < limits.least; });
  double largest = 0;
  for (const LastingRise& rise : rises) largest = std::max(largest, rise.height);
  std::erase_if(rises, [&](const LastingRise& rise) { return rise.height * one_jump < largest; });
  if (rises.size() < 2) return {};
  std::size_t longest = 0;
  for (std::size_t i = 1; i < rises.size(); ++i) longest = std::max(longest, rises[i].step - rises[i - 1].step);
  const std::size_t before = rises.front().step - 1;
  const std::size_t after = levels.size() - 1 - rises.back().step;
  return std::max(before, after) <= limits.gaps * longest ? rises : std::vector<LastingRise>{};
}

double sum_of(const std::vector<LastingRise>& rises) {
  return std::accumulate(rises.begin(), rises.end(), 0.0,
                         [](double sum, const LastingRise& rise) { return sum + rise.height; });
}

/// What the chunks do not explain is the noise of their sum.
std::vector<double> rises_beside(const std::vector<LastingRise>& chunks, const Levels& levels) {
  std::vector<double> rises = rises_of(levels);
  for (const LastingRise& chunk : chunks) rises[chunk.step - 1] -= chunk.height;
  return rises;
}

/// Standard error of the mean rise.
double error_of_mean(const std::vector<double>& rises) {
  return std::sqrt(sample_variance(rises) / static_cast<double>(rises.size()));
}

}  // namespace

LevelGrowth growth_of_levels(std::span<const std::int64_t> levels, std::int64_t noise_floor) {
  const Levels read(levels.begin(), levels.end());
  const auto once = noise_floor > 0 ? one_rise(read) : std::nullopt;
  // The slope keeps the second largest rise in its place: in the middle a jump lies in more than half of all pairs of
  // steps, and the slope would be that of the jump.
  const Levels smooth = once ? lowered(read, once->step, once->height - once->second) : read;
  const Levels without = once ? lowered(read, once->step, once->height) : read;
  const std::vector<LastingRise> repeated = repeated_rises(without);
  LevelGrowth growth{.steps = std::ssize(levels) - 1,
                     .rises = std::ssize(lasting_rises(read)),
                     .one_off = once ? std::llround(once->height) : 0,
                     .repeated = !repeated.empty()};
  std::vector<double> rises = rises_of(read);
  growth.in_every_step = std::all_of(rises.begin(), rises.end(), [](double rise) { return rise > 0; });
  if (levels.front() == levels.back()) return growth;

  rises = rises_of(smooth);
  growth.per_step = theil_sen_slope(smooth);
  const double in_chunks = sum_of(repeated) / static_cast<double>(growth.steps);
  const double least = std::max(1.0, static_cast<double>(noise_floor));
  const bool seldom = !repeated.empty() && 2 * std::ssize(repeated) < growth.steps;
  if (growth.per_step < least && seldom) {
    growth.per_step = in_chunks;
    rises = rises_beside(repeated, without);
  }
  growth.noise = error_of_mean(rises);
  return growth;
}

LevelGrowth growth_in_chunks(std::span<const std::int64_t> levels, const ChunkLimits& limits) {
  if (std::ssize(levels) - 1 < limits.fewest_steps) return {.steps = std::ssize(levels) - 1};
  const Levels read(levels.begin(), levels.end());
  const auto once = one_rise(read);
  const Levels without = once ? lowered(read, once->step, once->height) : read;
  const std::vector<LastingRise> chunks =
      repeated_rises(without, {.least = static_cast<double>(limits.least), .gaps = most_gaps_of_chunks});
  LevelGrowth growth{.steps = std::ssize(levels) - 1};
  const bool seldom = 2 * std::ssize(chunks) < growth.steps;
  if (std::ssize(chunks) < least_chunks || !seldom || chunks.front().step > limits.begin_within) return growth;
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    if (chunks[i].step - chunks[i - 1].step > limits.begin_within) return growth;
  }
  growth.per_step = sum_of(chunks) / static_cast<double>(growth.steps);
  growth.noise = error_of_mean(rises_beside(chunks, without));
  growth.rises = std::ssize(chunks);
  growth.repeated = true;
  return growth;
}

std::int64_t whole_growth(const LevelGrowth& growth, std::int64_t noise_floor) {
  std::int64_t whole = std::llround(growth.per_step);
  if (growth.repeated && growth.per_step > 0) whole = std::max<std::int64_t>(1, whole);
  return noise_floor > 0 && whole < noise_floor ? 0 : whole;
}

}  // namespace stepgate
