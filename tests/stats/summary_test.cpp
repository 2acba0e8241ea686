// Reference values: NumPy 2.4.6 and SciPy 1.17.1, computed once.
#include "stats/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace stepgate {
namespace {

const std::vector<double> odd = {2.5, 3.1, 0.7, 9.4, 5.5, 4.2, 8.8};
const std::vector<double> even = {1, 2, 4, 8};

/// The message of the domain error that `call` must throw.
template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::domain_error& error) {
    return error.what();
  }
  return "no std::domain_error";
}

TEST(Summary, QuantileInterpolatesAsNumPyDoes) {
  EXPECT_DOUBLE_EQ(quantile(odd, 0.05), 1.24);
  EXPECT_DOUBLE_EQ(quantile(odd, 0.25), 2.8);
  EXPECT_DOUBLE_EQ(quantile(odd, 0.9), 9.04);
  EXPECT_DOUBLE_EQ(quantile(even, 0.05), 1.15);
  EXPECT_DOUBLE_EQ(quantile(even, 0.9), 6.8);
}

TEST(Summary, ManyQuantilesEqualEachAlone) {
  const std::vector<double> probabilities = {0.9, 0.05, 0.25};
  EXPECT_THAT(quantiles(odd, probabilities),
              testing::ElementsAre(quantile(odd, 0.9), quantile(odd, 0.05), quantile(odd, 0.25)));
  EXPECT_TRUE(quantiles(odd, std::vector<double>{}).empty());
}

TEST(Summary, TheNinetyNinthOfAThousandLiesAmongTheTenHighest) {
  std::vector<double> values;
  for (int i = 1; i <= 1000; ++i) values.push_back(i);
  EXPECT_DOUBLE_EQ(quantile(values, 0.99), 990.01);
}

TEST(Summary, QuantileEndsAreTheExtremes) {
  EXPECT_EQ(quantile(odd, 0), 0.7);
  EXPECT_EQ(quantile(odd, 1), 9.4);
  EXPECT_EQ(quantile(std::vector{3.0}, 0.3), 3.0);
}

TEST(Summary, MedianOfEvenCountIsTheMiddleOfTwo) {
  EXPECT_EQ(median(odd), 4.2);
  EXPECT_EQ(median(even), 3.0);
}

TEST(Summary, MedianIgnoresOneWildValue) { EXPECT_EQ(median(std::vector{1.0, 1e300, 2.0}), 2.0); }

TEST(Summary, MedianAbsoluteDeviationIsUnscaled) {
  EXPECT_DOUBLE_EQ(median_absolute_deviation(odd), 1.7);
  EXPECT_DOUBLE_EQ(median_absolute_deviation(even), 1.5);
}

TEST(Summary, MeanAndVarianceWithDivisorNMinusOne) {
  EXPECT_DOUBLE_EQ(mean(odd), 4.885714285714286);
  EXPECT_DOUBLE_EQ(sample_variance(odd), 10.491428571428573);
}

TEST(Summary, LeavesTheSampleInItsOrder) {
  std::vector<double> values = {3, 1, 2};
  median(values);
  quantile(values, 0.5);
  EXPECT_THAT(values, testing::ElementsAre(3, 1, 2));
}

TEST(Summary, RobustDeviationIgnoresAnOutlier) {
  // Deviations from the median 3: 2, 1, 0, 1, 1e6.
  EXPECT_DOUBLE_EQ(robust_standard_deviation(std::vector{1.0, 2.0, 3.0, 4.0, 1e6 + 3}), 1.4826);
}

TEST(Summary, RefusesEmptySamplesByName) {
  const std::vector<double> none;
  EXPECT_EQ(refusal([&] { quantile(none, 0.5); }), "quantile: empty sample");
  EXPECT_EQ(refusal([&] { median(none); }), "median: empty sample");
  EXPECT_EQ(refusal([&] { mean(none); }), "mean: empty sample");
  EXPECT_EQ(refusal([&] { sample_variance(none); }), "sample_variance: empty sample");
}

TEST(Summary, RefusesWhatIsNotFinite) {
  for (double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const std::vector<double> values = {1, bad, 2};
    EXPECT_EQ(refusal([&] { quantile(values, 0.5); }), "quantile: value is not finite");
    EXPECT_EQ(refusal([&] { median(values); }), "median: value is not finite");
    EXPECT_EQ(refusal([&] { mean(values); }), "mean: value is not finite");
    EXPECT_EQ(refusal([&] { sample_variance(values); }), "sample_variance: value is not finite");
  }
}

TEST(Summary, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { sample_variance(std::vector{1.0}); }), "sample_variance: needs at least two values");
  EXPECT_EQ(refusal([] { quantile(odd, 1.01); }), "quantile: probability outside [0, 1]");
  EXPECT_EQ(refusal([] { quantile(odd, std::numeric_limits<double>::quiet_NaN()); }),
            "quantile: probability outside [0, 1]");
}

}  // namespace
}  // namespace stepgate
