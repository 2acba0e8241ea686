#include "json/stored/ab_plan_json.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

AbPlan sample() {
  AbPlan plan;
  plan.case_name = "language/char_lm/tiny";
  plan.utc = "2026-11-21T10:00:00Z";
  plan.order_seed = 0xffffffffffffffff;
  plan.most_pairs = 16;
  plan.seeds = 6;
  plan.control = true;
  plan.base_digest = "0123456789abcdef";
  plan.head_digest = "fedcba9876543210";
  plan.base_commit = "1111111";
  plan.head_commit = "2222222-dirty";
  plan.policy_digest = "0011";
  plan.machine = "node3 CPU 0-7; a CPU; start 1";
  plan.plan.threads = 2;
  plan.plan.params = {{"batch_size", "8"}};
  return plan;
}

TEST(AbPlanJson, ReadsBackWhatItWrote) {
  AbPlan plan = sample();
  plan.complete = true;
  const AbPlan again = ab_plan_from_text(to_text(plan), "ab.json");
  EXPECT_TRUE(same_comparison(plan, again));
  EXPECT_EQ(again.order_seed, plan.order_seed);
  EXPECT_EQ(again.utc, plan.utc);
  EXPECT_EQ(again.base_commit, plan.base_commit);
  EXPECT_EQ(again.head_commit, plan.head_commit);
  EXPECT_TRUE(again.complete);
}

TEST(AbPlanJson, PairsOfAnotherBuildOrPlanDoNotCount) {
  const AbPlan plan = sample();
  AbPlan later = plan;
  later.order_seed = 1;
  later.utc = "2026-11-22T10:00:00Z";
  EXPECT_TRUE(same_comparison(plan, later)) << "an interrupted run continues with its own order";
  AbPlan other = plan;
  other.head_digest = "0000000000000000";
  EXPECT_FALSE(same_comparison(plan, other));
  other = plan;
  other.plan.threads = 1;
  EXPECT_FALSE(same_comparison(plan, other));
  other = plan;
  other.most_pairs = 8;
  EXPECT_FALSE(same_comparison(plan, other));
  other = plan;
  other.alternating_windows = true;
  EXPECT_FALSE(same_comparison(plan, other));
  other = plan;
  other.policy_digest = "0012";
  EXPECT_FALSE(same_comparison(plan, other));
  other = plan;
  other.machine = "node4 CPU 0-7; a CPU; start 1";
  EXPECT_FALSE(same_comparison(plan, other));
  other = plan;
  other.control = false;
  EXPECT_FALSE(same_comparison(plan, other));
  other = plan;
  other.seeds = 5;
  EXPECT_FALSE(same_comparison(plan, other));
}

TEST(AbPlanJson, NamesTheFileAndTheKeyThatIsWrong) {
  std::string text = to_text(sample());
  text.replace(text.find("\"most_pairs\": 16"), 16, "\"most_pairs\": \"\"");
  try {
    ab_plan_from_text(text, "out/ab.json");
    FAIL() << "a text was accepted as a number";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("out/ab.json: most_pairs"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stepgate
