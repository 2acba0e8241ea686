#include "json/stored/shard_plan_json.h"

#include <gmock/gmock.h>

#include "json/expect_error.h"
#include "json/records/measurement_json.h"
#include "json/sample_documents.h"
#include "support/sample_shard_plan.h"

namespace stepgate {
namespace {

TEST(ShardPlanJson, ReadsBackWhatItWrote) {
  const std::string text = to_text(sample_shard_plan());
  const ShardPlan again = shard_plan_from_text(text, "plan.json");
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.layout, NodeLayout::by_case);
  EXPECT_EQ(again.cases.at(0).plan.order_seed, 0xffffffffffffffff);
  EXPECT_TRUE(again.mixed_nodes);
  EXPECT_TRUE(again.require_gpu);
  EXPECT_FALSE(again.sweep);
  EXPECT_FALSE(shard_plan_from_text(replaced(text, "\"mixed_nodes\": true,", ""), "plan.json").mixed_nodes)
      << "a plan of before nodes could differ";
}

TEST(ShardPlanJson, APlanOfASweepHasOneCaseWithItsRounds) {
  const std::string text = to_text(sample_sweep_plan());
  const ShardPlan again = shard_plan_from_text(text, "plan.json");
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.sweep, sample_sweep_plan().sweep);
  const auto refused = [](const ShardPlan& plan, const char* part) {
    expect_error([&] { shard_plan_from_text(to_text(plan), "plan.json"); }, ErrorKind::measure,
                 {"plan.json", "cases", part});
  };
  ShardPlan plan = sample_sweep_plan();
  plan.cases.clear();
  refused(plan, "one case");
  plan = sample_sweep_plan();
  plan.cases.front().tries = 3;
  refused(plan, "as many tries");
  plan.cases.front().tries = plan.cases.front().plan.plan.timed_replicates = 100'001;
  refused(plan, "at most 100000 tries");
}

/// Shares are drawn from these numbers: a damaged one was memory until none was left.
TEST(ShardPlanJson, RefusesMorePairsAndNodesThanAnybodyAsksFor) {
  ShardPlan plan = sample_shard_plan();
  plan.cases.front().tries = 1'000'000'000'000;
  expect_error([&] { shard_plan_from_text(to_text(plan), "plan.json"); }, ErrorKind::measure,
               {"plan.json", "cases", "at most 100000 tries of language/char_lm/tiny"});
  plan = sample_shard_plan();
  plan.shards = 1'000'000'000'000;
  expect_error([&] { shard_plan_from_text(to_text(plan), "plan.json"); }, ErrorKind::measure,
               {"plan.json", "shards", "from 1 to 1000"});
}

TEST(ShardPlanJson, RefusesWhatNoPlanSays) {
  const auto read = [](const std::string& text) { shard_plan_from_text(text, "plan.json"); };
  const std::string text = to_text(sample_shard_plan());
  expect_error([&] { read(replaced(text, "\"by_case\"", "\"by_turn\"")); }, ErrorKind::measure,
               {"plan.json", "layout", "by_round, by_case"});
  expect_error([&] { read(replaced(text, "\"shards\": 4", "\"shards\": 0")); }, ErrorKind::measure,
               {"plan.json", "shards", "from 1"});
  expect_error([&] { read(replaced(text, "stepgate.shard_plan", "stepgate.ab_plan")); }, ErrorKind::measure,
               {"plan.json", "stepgate.ab_plan"});
}

TEST(ShardPlanJson, ACaseNameThatLeavesItsFolderIsRefused) {
  const auto refused = [](const std::string& text, const std::string& name, const auto& read) {
    const std::string hostile = replaced(text, "\"" + name + "\"", "\"../../x\"");
    expect_error([&] { read(hostile, "file"); }, ErrorKind::measure, {"file", "language/char_lm/tiny", "../../x"});
  };
  refused(to_text(sample_shard_plan()), "language/char_lm/tiny", shard_plan_from_text);
  refused(to_text(sample_shard_work()), "a/b/c", shard_work_from_text);
  refused(to_text(sample_round_result()), "language/char_lm/tiny", node_result_from_text);
  refused(to_text(sample_measurement()), "language/char_lm/tiny", measurement_from_text);
}

TEST(ShardWorkJson, ReadsBackWhatItWrote) {
  const ShardWork work = sample_shard_work();
  const ShardWork again = shard_work_from_text(to_text(work), "02.1.json");
  EXPECT_EQ(again.shard, 2);
  EXPECT_EQ(again.attempt, 1);
  EXPECT_EQ(again.control_case, work.control_case);
  EXPECT_EQ(again.shares, work.shares);
}

TEST(NodeResultJson, ReadsBackWhatItWroteWithBothMeasurements) {
  const NodeResult result = sample_node_result(sample_measurement(), Measurement{});
  const std::string text = to_text(result);
  const NodeResult again = node_result_from_text(text, "007.1.json");
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.kind, NodeResultKind::control);
  EXPECT_EQ(to_text(again.base), to_text(sample_measurement()));
  expect_error([&] { node_result_from_text(replaced(text, "\"control\"", "\"twin\""), "007.1.json"); },
               ErrorKind::measure, {"007.1.json", "kind", "pair, control, exact, round"});
}

TEST(NodeResultJson, ARoundHasSettingsInsteadOfTwoSides) {
  NodeResult round = sample_node_result({}, {});
  round.kind = NodeResultKind::round;
  round.settings = {sample_measurement(), Measurement{}};
  const std::string text = to_text(round);
  const NodeResult again = node_result_from_text(text, "007.1.json");
  EXPECT_EQ(to_text(again), text);
  ASSERT_EQ(again.settings.size(), 2U);
  EXPECT_EQ(to_text(again.settings[0]), to_text(sample_measurement()));
  EXPECT_TRUE(again.settings[1].replicates.empty());
  EXPECT_EQ(text.find("\"base\""), std::string::npos);
  expect_error([&] { node_result_from_text(replaced(text, "\"settings\"", "\"sides\""), "007.1.json"); },
               ErrorKind::measure, {"007.1.json", "settings"});
}

}  // namespace
}  // namespace stepgate
