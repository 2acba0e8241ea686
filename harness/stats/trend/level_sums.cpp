#include "stats/trend/level_sums.h"

#include <algorithm>
#include <stdexcept>

#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr double largest_autocorrelation = 0.9;  // beyond it, the inflation would exceed 19 and hide every change

/// Sum of products of neighbouring residuals about `mean` instead of the level's own mean.
double products_about(const LevelSums& level, double mean) {
  const double shift = level.mean - mean;
  return level.products + shift * level.pair_sums + level.pairs * shift * shift;
}

/// The last point of one level and the first of the next one, as neighbours.
struct BorderPair {
  double count;  ///< 0 where both are of one slot
  double product;
  double sum;
};

BorderPair border_pair(const LevelSums& left, double left_mean, const LevelSums& right, double right_mean) {
  if (left.last_slot == right.first_slot) return {0, 0, 0};
  const double before = left.last - left_mean;
  const double after = right.first - right_mean;
  return {1, before * after, before + after};
}

}  // namespace

LevelPrefixes::LevelPrefixes(std::span<const double> values, std::span<const std::size_t> slots)
    : values_(values), slots_(slots), centre_(mean(values)) {
  if (!slots.empty() && slots.size() != values.size()) throw std::domain_error("LevelPrefixes: a slot is missing");
  sums_.reserve(values.size() + 1);
  Sums sum;
  sums_.push_back(sum);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i] - centre_;
    sum.values += value;
    sum.squares += value * value;
    if (i > 0 && slot_of(i) != slot_of(i - 1)) {
      const double before = values[i - 1] - centre_;
      sum.products += value * before;
      sum.pairs += 1;
      sum.pair_sums += value + before;
    }
    sums_.push_back(sum);
  }
}

LevelSums LevelPrefixes::sums(std::size_t begin, std::size_t end) const {
  if (begin >= end || end > values_.size()) throw std::domain_error("LevelPrefixes: no points");
  const Sums& until = sums_[end];
  const auto count = static_cast<double>(end - begin);
  // The product of the first point is that with the point before the stretch.
  const double level = (until.values - sums_[begin].values) / count;
  const Sums& inner = sums_[begin + 1];
  const double pairs = until.pairs - inner.pairs;
  const double pair_sums = until.pair_sums - inner.pair_sums;
  const double squares = until.squares - sums_[begin].squares - count * level * level;
  const double products = until.products - inner.products - level * pair_sums + pairs * level * level;
  return {.begin = begin,
          .end = end,
          .first = values_[begin],
          .last = values_[end - 1],
          .mean = centre_ + level,
          .squares = std::max(0.0, squares),
          .products = products,
          .pairs = pairs,
          .pair_sums = pair_sums - 2 * pairs * level,
          .first_slot = slot_of(begin),
          .last_slot = slot_of(end - 1)};
}

LevelSums level_sums(std::span<const double> values, std::size_t begin, std::size_t end) {
  if (begin >= end || end > values.size()) throw std::domain_error("level_sums: no points");
  const std::span<const double> points = values.subspan(begin, end - begin);
  LevelSums sums{.begin = begin,
                 .end = end,
                 .first = points.front(),
                 .last = points.back(),
                 .mean = mean(points),
                 .squares = 0,
                 .products = 0,
                 .pairs = static_cast<double>(points.size() - 1),
                 .pair_sums = 0,
                 .first_slot = begin,
                 .last_slot = end - 1};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double residual = points[i] - sums.mean;
    sums.squares += residual * residual;
    if (i == 0) continue;
    sums.products += residual * (points[i - 1] - sums.mean);
    sums.pair_sums += residual + points[i - 1] - sums.mean;
  }
  return sums;
}

LevelSums join_levels(const LevelSums& left, const LevelSums& right) {
  const auto left_count = static_cast<double>(left.count());
  const auto right_count = static_cast<double>(right.count());
  const double count = left_count + right_count;
  const double distance = right.mean - left.mean;
  const double level = left.mean + distance * right_count / count;
  const BorderPair border = border_pair(left, level, right, level);
  const double left_pair_sums = left.pair_sums + 2 * left.pairs * (left.mean - level);
  const double right_pair_sums = right.pair_sums + 2 * right.pairs * (right.mean - level);
  return {.begin = left.begin,
          .end = right.end,
          .first = left.first,
          .last = right.last,
          .mean = level,
          .squares = left.squares + right.squares + distance * distance * left_count * right_count / count,
          .products = products_about(left, level) + products_about(right, level) + border.product,
          .pairs = left.pairs + right.pairs + border.count,
          .pair_sums = left_pair_sums + right_pair_sums + border.sum,
          .first_slot = left.first_slot,
          .last_slot = right.last_slot};
}

double residual_autocorrelation(std::span<const LevelSums> levels) {
  double squares = 0;
  double products = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    squares += levels[i].squares;
    products += levels[i].products;
    pairs += levels[i].pairs;
    if (i == 0) continue;
    const BorderPair border = border_pair(levels[i - 1], levels[i - 1].mean, levels[i], levels[i].mean);
    products += border.product;
    pairs += border.count;
  }
  if (!(squares > 0) || !(pairs > 0)) return 0;
  const auto points = static_cast<double>(levels.back().end - levels.front().begin);
  const double correction = static_cast<double>(levels.size()) / points;
  // Where neighbours of one slot are left out, the others stand for all.
  const double all_products = products * ((points - 1) / pairs);
  return std::clamp(all_products / squares + correction, 0.0, largest_autocorrelation);
}

}  // namespace stepgate
