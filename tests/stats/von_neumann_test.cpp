// Exact probabilities: the ratio is sum(lambda_i z_i^2) / sum(z_i^2) with lambda_i = 4 sin^2(pi i / 2n), i = 1 .. n-1
// (Durbin and Watson, Biometrika 37 (1950)); its distribution by Imhof's integral (Biometrika 48 (1961)) with SciPy.
#include "stats/von_neumann.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace stepgate {
namespace {

TEST(VonNeumann, RatioByHand) {
  // Differences 1, -2, 3 give 14; deviations from 1.5 give 0.25 + 0.25 + 2.25 + 2.25 = 5.
  EXPECT_DOUBLE_EQ(von_neumann_ratio(std::vector<double>{1, 2, 0, 3}), 14.0 / 5.0);
}

TEST(VonNeumann, RatioAgreesWithNumPy) {
  const std::vector<double> values{0.012, -0.003, 0.008, 0.015, 0.001, 0.021, 0.007, 0.018};
  EXPECT_NEAR(von_neumann_ratio(values), 2.742857142857142, 1e-12);
}

struct ExactProbability {
  std::int64_t count;
  double ratio;
  double probability;
};

TEST(VonNeumann, ProbabilitiesAreCloseToTheExactOnes) {
  const ExactProbability known[] = {{8, 0.5, 0.002846760410501137},   {8, 0.7, 0.012515783489514098},
                                    {8, 1.1, 0.07672591976229248},    {8, 2.3, 0.6740479082101903},
                                    {12, 0.7, 0.0038925195267163},    {12, 0.9, 0.015713256262111397},
                                    {12, 1.5, 0.18180696868009472},   {16, 0.7, 0.0011955798266},
                                    {16, 0.9, 0.0069997842128135535}, {16, 1.1, 0.02581964386765634}};
  for (const auto& [count, ratio, probability] : known) {
    EXPECT_NEAR(von_neumann_p_value(ratio, count), probability, 0.1 * probability) << count << " values, " << ratio;
  }
}

TEST(VonNeumann, AStaircaseIsUnlikelyAndAZigzagIsLikely) {
  const std::vector<double> staircase{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const std::vector<double> zigzag{1, 9, 2, 8, 1, 9, 3, 8, 1, 9, 2, 8};
  EXPECT_LT(von_neumann_p_value(von_neumann_ratio(staircase), 12), 1e-4);
  EXPECT_GT(von_neumann_p_value(von_neumann_ratio(zigzag), 12), 0.99);
}

TEST(VonNeumann, RefusesWhatHasNoRatio) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(von_neumann_ratio({}), std::domain_error);
  EXPECT_THROW(von_neumann_ratio(std::vector<double>{1}), std::domain_error);
  EXPECT_THROW(von_neumann_ratio(std::vector<double>{2, 2, 2}), std::domain_error);
  EXPECT_THROW(von_neumann_ratio(std::vector<double>{1, not_a_number, 2}), std::domain_error);
  EXPECT_THROW(von_neumann_p_value(1, 3), std::domain_error);
  EXPECT_THROW(von_neumann_p_value(-0.1, 8), std::domain_error);
  EXPECT_THROW(von_neumann_p_value(not_a_number, 8), std::domain_error);
}

}  // namespace
}  // namespace stepgate
