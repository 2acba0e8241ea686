#include "core/stored/case_budgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::Key;

TEST(CaseBudgets, HoldForEveryCaseOrForThoseThatAreNamed) {
  Policy policy;
  policy.budgets = {{"checkpoint_bytes", 1e6}, {"peak_reserved_bytes", 1e9}, {"step_time_ns", 1e8}};
  policy.budget_cases = {{"checkpoint_bytes", {"mine/saved/tiny"}},
                         {"peak_reserved_bytes", {"mine/*/gpu", "mine/big/*"}}};
  EXPECT_THAT(budgets_of(policy, "mine/mlp/tiny"), ElementsAre(Key("step_time_ns")));
  EXPECT_THAT(budgets_of(policy, "mine/saved/tiny"), ElementsAre(Key("checkpoint_bytes"), Key("step_time_ns")));
  EXPECT_THAT(budgets_of(policy, "mine/big/one"), ElementsAre(Key("peak_reserved_bytes"), Key("step_time_ns")));
  EXPECT_EQ(budgets_of(policy, "mine/mlp/gpu").at("peak_reserved_bytes"), 1e9);
}

}  // namespace
}  // namespace stepgate
