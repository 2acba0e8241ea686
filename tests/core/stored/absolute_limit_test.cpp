#include "core/stored/absolute_limit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

/// "floor samples_per_s 4000"
std::vector<std::string> told(const Policy& policy, const LimitedCase& limited) {
  std::vector<std::string> lines;
  for (const AbsoluteLimit& limit : limits_of(policy, limited))
    lines.push_back(std::string(name_of(limit.kind)) + " " + limit.metric + " " +
                    std::to_string(std::llround(limit.value)));
  return lines;
}

using Lines = std::vector<std::string>;

TEST(AbsoluteLimits, HoldForTheCasesAndTheRunnerClassThatTheyName) {
  Policy policy;
  policy.floors = {{.cases = "toys/a/*", .metric = "samples_per_s", .value = 4000},
                   {.cases = "*", .metric = "steps_per_s", .value = 70, .runner_class = "h200-16c"}};
  EXPECT_EQ(told(policy, {"toys/a/one", "local"}), Lines{"floor samples_per_s 4000"});
  EXPECT_EQ(told(policy, {"toys/b/one", "h200-16c"}), Lines{"floor steps_per_s 70"});
  EXPECT_EQ(told(policy, {"toys/b/one", ""}), Lines{});
}

TEST(AbsoluteLimits, OfSeveralTheStrictestHolds) {
  Policy policy;
  policy.floors = {{.cases = "*", .metric = "samples_per_s", .value = 4000},
                   {.cases = "toys/*", .metric = "samples_per_s", .value = 5000}};
  policy.budgets = {{"step_time_ns", 2e7}};
  policy.case_budgets = {{.cases = "toys/*", .metric = "step_time_ns", .value = 1e7},
                         {.cases = "*", .metric = "step_time_ns", .value = 3e7}};
  policy.targets = {{.cases = "*", .metric = "step_time_ns", .value = 9e6},
                    {.cases = "*", .metric = "step_time_ns", .value = 8e6}};
  EXPECT_EQ(told(policy, {"toys/a/one", "local"}),
            (Lines{"floor samples_per_s 5000", "budget step_time_ns 10000000", "target step_time_ns 8000000"}));
}

TEST(AbsoluteLimits, ATargetHasTheDirectionOfItsMetric) {
  const AbsoluteLimit rate{.kind = AbsoluteLimitKind::target, .metric = "samples_per_s", .value = 100};
  const AbsoluteLimit time{.kind = AbsoluteLimitKind::target, .metric = "step_time_ns", .value = 100};
  EXPECT_TRUE(keeps(rate, 101));
  EXPECT_FALSE(keeps(rate, 99));
  EXPECT_TRUE(keeps(time, 99));
  EXPECT_FALSE(keeps(time, 101));
  EXPECT_TRUE(keeps(rate, 100) && keeps(time, 100));
  EXPECT_FALSE(keeps(rate, std::nan("")) || keeps(time, std::nan("")));
}

TEST(AbsoluteLimits, KindsHaveNames) {
  for (const auto kind : {AbsoluteLimitKind::floor, AbsoluteLimitKind::budget, AbsoluteLimitKind::target})
    EXPECT_EQ(absolute_limit_kind_named(name_of(kind)), kind);
  EXPECT_EQ(absolute_limit_kind_named("ceiling"), std::nullopt);
}

}  // namespace
}  // namespace stepgate
