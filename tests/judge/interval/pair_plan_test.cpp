#include "judge/interval/pair_plan.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

TEST(PairPlan, DefaultIsThePlanOfTheDesign) {
  const PairPlan plan = default_pair_plan();
  const InterimAnalysis expected[] = {{4, .05, 0}, {6, .10, 0}, {8, .20, .2}, {12, .25, .3}, {16, .40, .5}};
  ASSERT_EQ(plan.analyses.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(plan.analyses[i].pairs, expected[i].pairs);
    EXPECT_EQ(plan.analyses[i].pass_weight, expected[i].pass_weight);
    EXPECT_EQ(plan.analyses[i].red_weight, expected[i].red_weight);
  }
  EXPECT_NO_THROW(check_pair_plan(plan));
  EXPECT_EQ(most_pairs(plan), 16);
}

TEST(PairPlan, AFollowingMetricPassesEarlierAndIsRedNoSooner) {
  const PairPlan plan = following_pair_plan();
  const PairPlan leading = default_pair_plan();
  EXPECT_NO_THROW(check_pair_plan(plan));
  ASSERT_EQ(plan.analyses.size(), leading.analyses.size());
  const double pass[] = {.50, .20, .15, .10, .05};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(plan.analyses[i].pairs, leading.analyses[i].pairs);
    EXPECT_EQ(plan.analyses[i].pass_weight, pass[i]);
    EXPECT_EQ(plan.analyses[i].red_weight, leading.analyses[i].red_weight);
  }
  EXPECT_NO_THROW(check_pair_plan(pair_plan_up_to(8, following_pair_plan())));
  EXPECT_EQ(pair_plan_up_to(4, following_pair_plan()).analyses.front().pass_weight, 1);
}

TEST(PairPlan, TheNextInterimAnalysisNeedsMorePairs) {
  const PairPlan plan = default_pair_plan();
  EXPECT_EQ(next_interim_analysis(plan, 0)->pairs, 4);
  EXPECT_EQ(next_interim_analysis(plan, 3)->pairs, 4);
  EXPECT_EQ(next_interim_analysis(plan, 4)->pairs, 6);
  EXPECT_EQ(next_interim_analysis(plan, 11)->pairs, 12);
  EXPECT_FALSE(next_interim_analysis(plan, 16));
}

TEST(PairPlan, AFixedPlanSpendsAllAtOnce) {
  const PairPlan plan = fixed_pair_plan(8);
  EXPECT_NO_THROW(check_pair_plan(plan));
  EXPECT_EQ(most_pairs(plan), 8);
  EXPECT_EQ(plan.analyses.front().red_weight, 1);
}

TEST(PairPlan, EndsWhenTaintPreventsTheFirstInterimAnalysis) {
  EXPECT_EQ(most_tries(16), 24);
  EXPECT_EQ(most_tries(1), 3) << "a discarded pair of one is replaced";
  EXPECT_FALSE(taint_leaves_no_interim_analysis(1, {.measured = 1, .clean = 0}));
  EXPECT_FALSE(taint_leaves_no_interim_analysis(1, {.measured = 2, .clean = 0}));
  EXPECT_TRUE(taint_leaves_no_interim_analysis(1, {.measured = 3, .clean = 0}));
  EXPECT_FALSE(taint_leaves_no_interim_analysis(16, {.measured = 7, .clean = 0}))
      << "less than half of the plan is too early";
  EXPECT_TRUE(taint_leaves_no_interim_analysis(16, {.measured = 8, .clean = 0}));
  EXPECT_TRUE(taint_leaves_no_interim_analysis(16, {.measured = 8, .clean = 1}))
      << "24 / 8 of them are 3, and the first analysis has 4";
  EXPECT_FALSE(taint_leaves_no_interim_analysis(16, {.measured = 8, .clean = 2}));
  EXPECT_FALSE(taint_leaves_no_interim_analysis(16, {.measured = 12, .clean = 2})) << "four, just";
  EXPECT_TRUE(taint_leaves_no_interim_analysis(16, {.measured = 13, .clean = 2}));
  EXPECT_FALSE(taint_leaves_no_interim_analysis(4, {.measured = 2, .clean = 1})) << "four tries are left for three";
  EXPECT_FALSE(taint_leaves_no_interim_analysis(4, {.measured = 4, .clean = 3}));
  EXPECT_TRUE(taint_leaves_no_interim_analysis(4, {.measured = 4, .clean = 1}));
  EXPECT_FALSE(taint_leaves_no_interim_analysis(8, {.measured = 4, .clean = 2}));
  EXPECT_TRUE(taint_leaves_no_interim_analysis(8, {.measured = 5, .clean = 1}));
  EXPECT_FALSE(taint_leaves_no_interim_analysis(2, {.measured = 1, .clean = 1})) << "two were requested";
}

TEST(PairPlan, EndsSoonerWhereNotASinglePairIsClean) {
  EXPECT_FALSE(taint_leaves_no_interim_analysis(16, {.measured = 4, .clean = 0, .processes = 8}));
  EXPECT_TRUE(taint_leaves_no_interim_analysis(16, {.measured = 5, .clean = 0, .processes = 10}));
  EXPECT_TRUE(taint_leaves_no_interim_analysis(16, {.measured = 3, .clean = 0, .processes = 12}))
      << "three pairs and three of the control";
  EXPECT_FALSE(taint_leaves_no_interim_analysis(16, {.measured = 5, .clean = 1, .processes = 10}));
  EXPECT_FALSE(taint_leaves_no_interim_analysis(16, {.measured = 3, .clean = 0, .processes = 12, .clean_control = 1}));
}

TEST(PairPlan, NothingIsRedBeforeEightPairs) {
  EXPECT_EQ(first_red_analysis(default_pair_plan()), 8);
  EXPECT_EQ(first_red_analysis(pair_plan_up_to(6)), 0) << "six pairs call nothing red";
}

TEST(PairPlan, AShorterPlanSpendsEverythingInTheInterimAnalysesThatItHas) {
  const PairPlan eight = pair_plan_up_to(8);
  EXPECT_NO_THROW(check_pair_plan(eight));
  ASSERT_EQ(eight.analyses.size(), 3U);
  EXPECT_EQ(eight.analyses.back().red_weight, 1);
  EXPECT_NEAR(eight.analyses.back().pass_weight, 0.20 / 0.35, 1e-12);
  const PairPlan four = pair_plan_up_to(4);
  EXPECT_NO_THROW(check_pair_plan(four));
  EXPECT_EQ(four.analyses.front().pass_weight, 1);
  EXPECT_EQ(four.analyses.front().red_weight, 0) << "four pairs call nothing red";
  EXPECT_EQ(pair_plan_up_to(16).analyses.size(), 5U);
  EXPECT_EQ(pair_plan_up_to(2).analyses.size(), 5U) << "none of them is reached";
}

TEST(PairPlan, RefusesPlansThatSpendMoreThanTheBudget) {
  EXPECT_THROW(check_pair_plan({}), Error);
  EXPECT_THROW(check_pair_plan({{{4, .5, .5}, {8, .5, .6}}}), Error);
  EXPECT_THROW(check_pair_plan({{{4, .5, .5}, {8, .6, .5}}}), Error);
  EXPECT_THROW(check_pair_plan({{{4, 1.5, .5}, {8, -.5, .5}}}), Error);
  EXPECT_THROW(check_pair_plan({{{8, .5, .5}, {4, .5, .5}}}), Error);
  EXPECT_THROW(check_pair_plan({{{8, .5, .5}, {8, .5, .5}}}), Error);
  EXPECT_THROW(check_pair_plan(fixed_pair_plan(1)), Error);
}

}  // namespace
}  // namespace stepgate
