#include "stats/trend/optimal_segments.h"

#include <gtest/gtest.h>

#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <limits>
#include <random>
#include <stdexcept>

namespace stepgate {
namespace {

/// The same minimum by trying every last change of every prefix.
std::vector<std::size_t> changes_by_trying_all(const std::vector<double>& values, double penalty) {
  const std::size_t count = values.size();
  std::vector<long double> least(count + 1, std::numeric_limits<long double>::infinity());
  std::vector<std::size_t> last(count + 1, 0);
  least[0] = -penalty;
  for (std::size_t end = 1; end <= count; ++end) {
    long double sum = 0;
    long double squares = 0;
    for (std::size_t begin = end; begin-- > 0;) {
      sum += values[begin];
      squares += static_cast<long double>(values[begin]) * values[begin];
      const long double cost = least[begin] + penalty + squares - sum * sum / static_cast<long double>(end - begin);
      if (cost < least[end]) {
        least[end] = cost;
        last[end] = begin;
      }
    }
  }
  std::vector<std::size_t> changes;
  for (std::size_t end = last[count]; end > 0; end = last[end]) changes.insert(changes.begin(), end);
  return changes;
}

std::vector<double> series_with_steps(std::mt19937_64& generator) {
  boost::random::normal_distribution<double> normal;
  boost::random::uniform_int_distribution<std::size_t> lengths(1, 150);
  boost::random::uniform_int_distribution<int> one_of_twenty(0, 19);
  std::vector<double> values(lengths(generator));
  double level = 20;
  for (double& value : values) {
    if (one_of_twenty(generator) == 0) level += 0.03 * normal(generator);
    value = level + 0.01 * normal(generator);
  }
  return values;
}

TEST(OptimalSegments, EqualThoseOfAnExhaustiveProgram) {
  std::mt19937_64 generator(20261123);
  std::size_t changes = 0;
  for (int i = 0; i < 600; ++i) {
    const std::vector<double> values = series_with_steps(generator);
    const double penalty = (i % 3 == 0 ? 1e-5 : i % 3 == 1 ? 1e-3 : 5e-3);
    const std::vector<std::size_t> expected = changes_by_trying_all(values, penalty);
    ASSERT_EQ(optimal_changes(values, penalty), expected) << "series " << i;
    changes += expected.size();
  }
  EXPECT_GT(changes, 5000U);
}

TEST(OptimalSegments, EqualValuesAreOneLevelAndALowPenaltyMakesEachValueOne) {
  EXPECT_TRUE(optimal_changes(std::vector<double>(9, 2.5), 1e-9).empty());
  EXPECT_EQ(optimal_changes(std::vector<double>{1, 2, 2, 3}, 1e-9), (std::vector<std::size_t>{1, 3}));
  EXPECT_TRUE(optimal_changes(std::vector<double>{1, 2, 2, 3}, 100).empty());
}

TEST(OptimalSegments, RefusesWhatHasNoBestFit) {
  EXPECT_THROW(optimal_changes({}, 1), std::domain_error);
  EXPECT_THROW(optimal_changes(std::vector<double>{1, 2}, 0), std::domain_error);
}

}  // namespace
}  // namespace stepgate
