#include "judge/studies/mean_of_looks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

TEST(MeanOfLooks, OfOneLookIsTheMeanOfItsProcesses) {
  const auto found = mean_of_looks({.first = {0.1, 0.2, 0.6}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->center, 0.3, 1e-12);
  EXPECT_NEAR(found->standard_error, std::sqrt(0.07 / 3), 1e-12);
  EXPECT_DOUBLE_EQ(found->freedom, 2);
  EXPECT_EQ(found->processes, 3);
  EXPECT_FALSE(mean_of_looks({.first = {0.1}}));
  EXPECT_FALSE(mean_of_looks({}));
}

/// Means .1 and .4 with variances .02 and .08 of a process; weights 2 and 4 of 6.
TEST(MeanOfLooks, AProcessOfAFurtherLookCountsTwice) {
  const auto found = mean_of_looks({.first = {0.0, 0.2}, .further = {0.2, 0.6}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->center, (2 * 0.1 + 4 * 0.4) / 6, 1e-12);
  const double first = 2 * 0.02 / 36;
  const double further = 4 * 2 * 0.08 / 36;
  EXPECT_NEAR(found->standard_error, std::sqrt(first + further), 1e-12);
  EXPECT_NEAR(found->freedom, (first + further) * (first + further) / (first * first + further * further), 1e-9);
  EXPECT_EQ(found->processes, 4);
}

TEST(MeanOfLooks, ALookOfOneProcessHasNoVarianceOfItsOwn) {
  for (const LookValues& values :
       {LookValues{.first = {0.0, 0.2}, .further = {0.4}}, LookValues{.first = {0.4}, .further = {0.0, 0.2}}}) {
    const auto found = mean_of_looks(values);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->center, 0.2, 1e-12);
    EXPECT_NEAR(found->standard_error, std::sqrt(0.04 / 3), 1e-12);
    EXPECT_DOUBLE_EQ(found->freedom, 2);
  }
}

TEST(MeanOfLooks, LooksThatDoNotScatterHaveNoError) {
  const auto found = mean_of_looks({.first = {0.1, 0.1}, .further = {0.1, 0.1, 0.1}});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->standard_error, 0);
  EXPECT_GT(found->freedom, 0);
}

/// What ended with the first look scatters as the others did there, and says nothing of further looks.
TEST(MeanOfLooks, EachLookSharesItsOwnScatter) {
  const LookValues quiet{.first = {0.0, 0.0}, .further = {0.5, 0.5}};
  const LookValues noisy{.first = {0.0, 0.4}, .further = {0.5, 0.7}};
  const ScatterOfLooks shared = pooled_by_look({quiet, noisy, {.first = {0.0, 0.2}}});
  EXPECT_NEAR(shared.first.variance, (0.0 + 0.08 + 0.02) / 3, 1e-12);
  EXPECT_NEAR(shared.further.variance, 0.02 / 2, 1e-12);
  const auto found = mean_of_looks(quiet, &shared);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->standard_error, std::sqrt(2 * 0.1 / 3 / 36 + 8 * 0.01 / 36), 1e-12);
}

}  // namespace
}  // namespace stepgate
