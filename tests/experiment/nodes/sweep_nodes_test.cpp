// A sweep over nodes, from the plan to the ranking. The nodes are this process under other names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/nodes/instant_runner.h"
#include "experiment/nodes/merge_sweep.h"
#include "experiment/nodes/node_coordinator.h"
#include "experiment/nodes/plan/make_sweep_plan.h"
#include "experiment/nodes/planned_run.h"
#include "experiment/swept/run_sweep.h"
#include "json/studies/sweep_json.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A time that depends on the setting and the round alone, whichever node measures it. One line of log per process.
constexpr const char* time_of_round_and_setting = R"sh(
width=${param#*width=}
where=$(echo "$record" | sed 's#.*/r0*\([0-9][0-9]*\)-s0*\([0-9][0-9]*\)/.*#\1 \2#')
round=${where% *}
echo "$(cat "$here/node" 2>/dev/null || echo alone) $where" >> "$here/log"
sed "s/1000/$((1000 * width + round * 13))/" "$here/timed-0.json" > "$record")sh";

SweepOptions three_widths(const FakeBuild& build, std::int64_t rounds = 4) {
  return {.case_name = fake_case,
          .parameters = {"width=1,2,3"},
          .metric = "step_time_ns",
          .measure = {.timed_replicates = rounds},
          .host = build.host()};
}

class SweepOverNodes {
 public:
  SweepOverNodes(const FakeBuild& build, const NodeSweepOptions& options)
      : build_(build),
        opened_(make_sweep_plan(build.project(), build.root() / "plan", options, listener_.caller())),
        project_(project_of_plan(opened_, build.root() / "merged")),
        measure_(measure_options_of(opened_.plan)) {}

  const OpenedPlan& opened() const { return opened_; }
  Run run() const { return {project_, measure_, host_, listener_.caller()}; }

  NodeSweep with(const InstantRunner::Before& before) {
    InstantRunner runner(build_, before);
    const Run asked = run();
    NodeSweep swept;
    coordinate_nodes(asked, opened_, runner, {.at_the_end = [&](int) { swept = merge_sweep(asked, opened_, {}); }});
    submitted = runner.submitted;
    return swept;
  }

  std::vector<std::string> submitted;

 private:
  const FakeBuild& build_;
  Listener listener_;
  OpenedPlan opened_;
  Project project_;
  MeasureOptions measure_;
  MeasuredHost host_;
};

std::string values_of(const Sweep& sweep) {
  std::string all;
  for (const SweepSetting& setting : sweep.settings) {
    for (const auto& [round, value] : setting.by_round)
      all += fmt::format("{} {}={}\n", setting.values[0], round, value);
  }
  return all;
}

TEST(SweepOverNodes, GivesTheValuesAndTheRankingOfOneMachine) {
  const FakeBuild one(time_of_round_and_setting), spread(time_of_round_and_setting);
  Listener listener;
  const Sweep alone = run_sweep(one.project(), three_widths(one), listener.caller());
  SweepOverNodes nodes(spread, {.sweep = three_widths(spread), .shards = 2});
  const Sweep of_two = nodes.with(always()).sweep;
  EXPECT_EQ(values_of(of_two), values_of(alone));
  EXPECT_EQ(of_two.orders, alone.orders);
  ASSERT_THAT(of_two.ranking.ranks, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(of_two.ranking.ranks[i].setting, alone.ranking.ranks[i].setting);
    EXPECT_EQ(of_two.ranking.ranks[i].behind, alone.ranking.ranks[i].behind);
  }
  const fs::path file = spread.root() / "merged/sweep" / fake_case / "sweep.json";
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(sweep_from_text(text.str(), file.string()).places, of_two.places);
}

TEST(SweepOverNodes, AllSettingsOfARoundRunOnOneNode) {
  const FakeBuild build(time_of_round_and_setting);
  SweepOverNodes nodes(build, {.sweep = three_widths(build), .shards = 2});
  const Sweep sweep = nodes.with(always()).sweep;
  std::istringstream log(build.program().text_of("log"));
  std::map<std::string, std::set<std::string>> nodes_of_round;
  std::size_t processes = 0;
  for (std::string node, round, setting; log >> node >> round >> setting; ++processes)
    nodes_of_round[round].insert(node);
  EXPECT_EQ(processes, 12u);
  EXPECT_THAT(nodes_of_round, SizeIs(4));
  for (const auto& [round, on] : nodes_of_round) EXPECT_THAT(on, SizeIs(1)) << "round " << round;
  EXPECT_NE(sweep.places.at(0), sweep.places.at(1));
  EXPECT_EQ(sweep.places.at(0), sweep.places.at(2));
}

TEST(SweepOverNodes, WhatALostNodeLeftGoesOutOnceMore) {
  const FakeBuild build(time_of_round_and_setting);
  SweepOverNodes nodes(build, {.sweep = three_widths(build), .shards = 2});
  const NodeSweep swept =
      nodes.with([](std::int64_t shard, std::int64_t attempt) { return shard != 2 || attempt > 0; });
  EXPECT_THAT(nodes.submitted, testing::ElementsAre("1.0", "2.0", "2.1"));
  for (const SweepSetting& setting : swept.sweep.settings) EXPECT_THAT(setting.by_round, SizeIs(4));
  EXPECT_THAT(swept.notices, IsEmpty());
}

TEST(SweepOverNodes, RoundsThatNeverComeAreNamed) {
  const FakeBuild build(time_of_round_and_setting);
  SweepOverNodes nodes(build, {.sweep = three_widths(build), .shards = 2});
  const NodeSweep swept = nodes.with([](std::int64_t shard, std::int64_t) { return shard != 2; });
  for (const SweepSetting& setting : swept.sweep.settings) EXPECT_THAT(setting.by_round, SizeIs(2));
  ASSERT_THAT(swept.notices, SizeIs(1));
  EXPECT_EQ(swept.notices[0].text, "2 rounds did not come: the ranking rests on 2");
  EXPECT_EQ(swept.sweep.places.at(1), "");
}

TEST(SweepOverNodes, WithoutAnyResultNothingIsRanked) {
  const FakeBuild build(time_of_round_and_setting);
  const SweepOverNodes nodes(build, {.sweep = three_widths(build), .shards = 2});
  const auto run = nodes.run();
  EXPECT_THROW(merge_sweep(run, nodes.opened(), {}), Error);
  EXPECT_TRUE(merge_sweep(run, nodes.opened(), {.interrupted_by = 2}).sweep.interrupted);
}

TEST(SweepOverNodes, ASettingThatFailsOnANodeHasNoRank) {
  const FakeBuild build(std::string("case $param in *=2) exit 3 ;; esac") + time_of_round_and_setting);
  SweepOverNodes nodes(build, {.sweep = three_widths(build), .shards = 2});
  const Sweep sweep = nodes.with(always()).sweep;
  EXPECT_THAT(sweep.settings[1].failure, Not(IsEmpty()));
  EXPECT_THAT(sweep.settings[0].by_round, SizeIs(4));
  EXPECT_EQ(sweep.ranking.ranks.back().standing, Standing::not_ranked);
}

TEST(SweepOverNodes, AnInterruptedSweepGoesOnWithTheRoundsThatAreWhole) {
  const FakeBuild build(time_of_round_and_setting);
  const NodeSweepOptions options{.sweep = three_widths(build), .shards = 2};
  SweepOverNodes first(build, options);
  InstantRunner half(build, [](std::int64_t shard, std::int64_t) { return shard == 1; });
  half.submit({.plan = first.opened().folder, .shards = {1}, .attempt = 0, .avoided = {}, .options = {}, .gpus = 0});
  EXPECT_EQ(build.processes(), 6);
  SweepOverNodes second(build, options);
  EXPECT_EQ(second.opened().digest, first.opened().digest) << "the plan of before";
  second.with(always());
  EXPECT_EQ(build.processes(), 12) << "two rounds were there";
}

TEST(SweepOverNodes, AnotherProgramOnTheNodeIsUnfit) {
  const FakeBuild build(time_of_round_and_setting);
  const SweepOverNodes nodes(build, {.sweep = three_widths(build), .shards = 1});
  for (const auto& file : fs::directory_iterator(nodes.opened().folder / "programs")) {
    std::ofstream(file.path(), std::ios::app) << "# another build\n";
  }
  Listener listener;
  const ShardEnd end = run_shard({.plan = nodes.opened().folder, .host = build.host()}, listener.caller());
  EXPECT_THAT(end.unfit, HasSubstr("the program is not the one that was planned"));
  EXPECT_EQ(build.processes(), 0);
}

TEST(SweepOverNodes, APolicyThatWasEditedRanksNothing) {
  const FakeBuild build(time_of_round_and_setting);
  SweepOverNodes nodes(build, {.sweep = three_widths(build), .shards = 1});
  nodes.with(always());
  std::ofstream(nodes.opened().folder / "policies/fake/policy.json", std::ios::app) << "\n";
  try {
    merge_sweep(nodes.run(), nodes.opened(), {});
    FAIL() << "another policy ranked the settings";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the policy of suite fake is not the one that was planned"));
  }
}

TEST(SweepOverNodes, AFinishedPlanBeginsAnew) {
  const FakeBuild build(time_of_round_and_setting);
  const NodeSweepOptions options{.sweep = three_widths(build), .shards = 1};
  SweepOverNodes first(build, options);
  first.with(always());
  finish_sweep_plan(first.opened());
  SweepOverNodes second(build, options);
  second.with(always());
  EXPECT_EQ(build.processes(), 24);
}

}  // namespace
}  // namespace stepgate
