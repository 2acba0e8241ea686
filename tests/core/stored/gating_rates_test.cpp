#include "core/stored/gating_rates.h"

#include <gtest/gtest.h>

#include <string>

#include "core/metric.h"

namespace stepgate {
namespace {

std::vector<std::string> names_of(const std::vector<Metric>& metrics) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics) {
    EXPECT_TRUE(metric.gates) << metric.name;
    names.emplace_back(metric.name);
  }
  return names;
}

TEST(GatingRates, AreThoseThatThePolicyNamesForTheCase) {
  Policy policy;
  policy.gating_rates = {{"samples_per_s", {"toys/a/*"}}, {"mfu_ratio", {"*"}}};
  EXPECT_EQ(names_of(gating_rates_of(policy, "toys/a/one")), (std::vector<std::string>{"mfu_ratio", "samples_per_s"}));
  EXPECT_EQ(names_of(gating_rates_of(policy, "toys/b/one")), std::vector<std::string>{"mfu_ratio"});
  EXPECT_TRUE(gates_rate(policy, "toys/a/one", "samples_per_s"));
  EXPECT_FALSE(gates_rate(policy, "toys/b/one", "samples_per_s"));
}

TEST(GatingRates, AreNoneByDefault) { EXPECT_TRUE(gating_rates_of({}, "toys/a/one").empty()); }

TEST(GatingRates, FollowFromATimeThatGates) {
  int rates = 0;
  for (const Metric& metric : metric_catalogue()) {
    if (metric.shares_test_of.empty()) continue;
    ++rates;
    const Metric* time = find_metric(metric.shares_test_of);
    ASSERT_NE(time, nullptr) << metric.name;
    EXPECT_TRUE(time->gates && !time->follows && !metric.gates) << metric.name;
    EXPECT_EQ(metric.direction, Direction::higher_is_better) << metric.name;
  }
  EXPECT_EQ(rates, 5);
}

}  // namespace
}  // namespace stepgate
