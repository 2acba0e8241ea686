#include "core/stored/metric_margins.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

void expect_margins(const Margins& found, double ignore, double matter) {
  EXPECT_DOUBLE_EQ(found.ignore, ignore);
  EXPECT_DOUBLE_EQ(found.matter, matter);
}

TEST(MarginsOf, TheStepTimeHasThoseOfTheSuite) {
  Policy policy;
  expect_margins(margins_of(policy, "step_time_ns"), 0.01, 0.05);
  policy.margins = {0.02, 0.08};
  expect_margins(margins_of(policy, "step_time_ns"), 0.02, 0.08);
}

TEST(MarginsOf, FirstStepAndLoaderSupplyHaveWideOnesByDefault) {
  Policy policy;
  expect_margins(margins_of(policy, "first_step_ns"), 0.1, 0.3);
  expect_margins(margins_of(policy, "loader_samples_per_s"), 0.05, 0.2);
  policy.margins = {0.07, 0.25};
  expect_margins(margins_of(policy, "first_step_ns"), 0.1, 0.3);
  expect_margins(margins_of(policy, "loader_samples_per_s"), 0.07, 0.25);
}

TEST(MarginsOf, ThePolicyHasTheLastWord) {
  Policy policy;
  policy.metric_margins["first_step_ns"] = {0.02, 0.1};
  expect_margins(margins_of(policy, "first_step_ns"), 0.02, 0.1);
}

}  // namespace
}  // namespace stepgate
