// What goes wrong with nodes: lost ones, second results, foreign results, unlike machines, a second coordinator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/error.h"
#include "environment/guard/run_lock.h"
#include "experiment/fake_build.h"
#include "experiment/nodes/node_decisions.h"
#include "experiment/nodes/over_nodes.h"
#include "experiment/pairs/resumption.h"
#include "json/results/run_report_json.h"
#include "json/stored/policy_json.h"
#include "json/stored/shard_plan_json.h"
#include "support/temporary_folder.h"
#include "system/files/fresh_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Nodes, WhatALostNodeLeftGoesOutOnceMore) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 4));
  InstantRunner runner(build, [](std::int64_t shard, std::int64_t attempt) { return shard != 2 || attempt > 0; });
  const Outcome outcome = nodes.coordinate(runner);
  EXPECT_THAT(runner.submitted, testing::ElementsAre("1.0", "2.0", "3.0", "4.0", "2.1"));
  EXPECT_THAT(nodes.notices(), HasSubstr("shard 2 on node2.0 ended before its work was done"));
  EXPECT_THAT(nodes.notices(), Not(HasSubstr("did not come")));
  EXPECT_EQ(outcome.verdict.status, Status::pass) << judged(outcome);
}

TEST(Nodes, ALongLastWordIsCutWhereItIsTold) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 1));
  const fs::path ended = nodes.opened().folder / "ended";
  InstantRunner runner(build, [&](std::int64_t, std::int64_t attempt) {
    if (attempt > 0) return true;
    fs::create_directories(ended);
    std::ofstream(ended / "01.0") << "unfit: " << std::string(100'000, 'x') << "\nanother line\n";
    return false;
  });
  nodes.coordinate(runner);
  EXPECT_THAT(nodes.notices(), HasSubstr("shard 1 on node1.0: unfit: xxx"));
  EXPECT_THAT(nodes.notices(), HasSubstr("xxx..."));
  EXPECT_LT(nodes.notices().size(), 10'000u);
  EXPECT_THAT(nodes.notices(), Not(HasSubstr("another line")));
}

TEST(Nodes, WithoutAnAttemptLeftFewerPairsJudge) {
  const FakeBuild build(std::string(scripted_process) + "[ $side = head ] && slow 150; finish");
  OverNodes nodes(build, over(build, 2));
  const Outcome outcome = nodes.with([](std::int64_t shard, std::int64_t) { return shard != 2; });
  EXPECT_THAT(nodes.notices(), HasSubstr("did not come: 6 left"));
  EXPECT_EQ(outcome.verdict.status, Status::inconclusive) << "six pairs never make a red: " << judged(outcome);
}

TEST(Nodes, TheLowerAttemptOfAPairCounts) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  const Outcome before = nodes.with(always());
  const fs::path file = nodes.opened().folder / "pairs" / fake_case / "000.0.json";
  NodeResult second = node_result_from_text(text_of_file(file), file.string());
  second.attempt = 1;
  for (Replicate& replicate : second.head.replicates) replicate.record->timed.at("e2e").windows.at(0).wall_ns *= 3;
  EXPECT_TRUE(hand_back(nodes.opened(), second));
  EXPECT_FALSE(hand_back(nodes.opened(), second)) << "the first file stays";
  const Outcome after = merge_plan(nodes.run(), nodes.opened()).report.outcomes.at(0);
  EXPECT_EQ(judged(after), judged(before));
  EXPECT_THAT(nodes.notices(), HasSubstr("1 result came twice"));
}

TEST(Nodes, ByRoundACaseIsDecidedAtTheEndOfARound) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes one(build, over(build, 1, 16));
  one.with(always());
  EXPECT_EQ(decided_end(one.opened(), fake_case), 4) << "one node looks after each pair, and four can pass";
  const FakeBuild other(std::string(scripted_process) + "finish");
  OverNodes three(other, over(other, 3, 16));
  three.with(always());
  EXPECT_EQ(decided_end(three.opened(), fake_case), 6);
}

TEST(Nodes, TheLowerAttemptOfTheExactHalfCounts) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 1));
  nodes.with(always());
  NodeResults results(nodes.opened());
  results.read_new();
  NodeResult second = *results.exact(fake_case);
  second.attempt = 1;
  EXPECT_TRUE(hand_back(nodes.opened(), second));
  NodeResults both(nodes.opened());
  both.read_new();
  EXPECT_EQ(both.exact(fake_case)->attempt, 0);
}

TEST(Nodes, AResultOfACaseThatIsNotPlannedDoesNotCount) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 1));
  nodes.with(always());
  NodeResults results(nodes.opened());
  results.read_new();
  NodeResult other = *results.pair(fake_case, 0);
  other.case_name = "fake/other/tiny";
  hand_back(nodes.opened(), other);
  results.read_new();
  EXPECT_THAT(results.foreign(), SizeIs(1));
}

TEST(Nodes, AResultOfAnotherPlanDoesNotCount) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  const fs::path file = nodes.opened().folder / "pairs" / fake_case / "000.0.json";
  const Outcome before = nodes.with(always());
  NodeResult foreign = node_result_from_text(text_of_file(file), file.string());
  foreign.plan_digest = "0123456789abcdef";
  fs::remove(file);
  hand_back(nodes.opened(), foreign);
  merge_plan(nodes.run(), nodes.opened());
  EXPECT_THAT(nodes.notices(), HasSubstr("1 result of another plan left out"));
  EXPECT_FALSE(fs::exists(build.root() / "merged" / fake_case / "ab/pairs/000"));
}

TEST(Nodes, ANodeWithAnotherProgramMeasuresNothing) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  const fs::path copy = *fs::directory_iterator(nodes.opened().folder / "ab-builds/program/head");
  std::ofstream(copy, std::ios::app) << "true\n";
  Listener listener;
  const ShardEnd end = run_shard({.plan = nodes.opened().folder, .shard = 1, .host = build.host()}, listener.caller());
  EXPECT_THAT(end.unfit, HasSubstr("the head program is not the one that was planned"));
  EXPECT_EQ(build.processes(), 0);
  EXPECT_THAT(*last_word(nodes.opened(), 1, 0), HasSubstr("unfit"));
}

TEST(Nodes, ANodeLeavesTheCopiesOfALivingOneAndRemovesThoseOfAKilledOne) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  const FreshFolder living(fs::temp_directory_path() / "stepgate-shard", "node");  // the same shard, started twice
  const fs::path killed = fs::temp_directory_path() / "stepgate-shard.node-killed";
  fs::create_directories(killed / "ab-builds");
  Listener listener;
  run_shard({.plan = nodes.opened().folder, .shard = 1, .host = build.host()}, listener.caller());
  EXPECT_TRUE(fs::exists(living.path()));
  EXPECT_FALSE(fs::exists(killed));
}

TEST(Nodes, AShareThatDoesNotFitItsPlanMeasuresNothing) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  Listener listener;
  const auto end_of = [&](const ShardWork& work) {
    write_work(nodes.opened(), work);
    return run_shard({.plan = nodes.opened().folder, .shard = 1, .attempt = work.attempt, .host = build.host()},
                     listener.caller());
  };
  ShardWork work = work_of(nodes.opened(), 1, 0);
  work.control_case = "fake/other/tiny";
  EXPECT_THAT(end_of(work).unfit, HasSubstr("takes its control from fake/other/tiny, which is no case of it"));
  work = work_of(nodes.opened(), 1, 1);
  work.shares.front().pairs.push_back(1'000'000'000'000);
  EXPECT_THAT(end_of(work).unfit, HasSubstr("has number 1000000000000 of"));
  fs::copy_file(nodes.opened().folder / "shards/01.1.json", nodes.opened().folder / "shards/02.0.json");
  EXPECT_THROW(work_of(nodes.opened(), 2, 0), Error);
  EXPECT_EQ(build.processes(), 0);
}

/// An engine that no longer answers.
class LostEngine : public InstantRunner {
 public:
  using InstantRunner::InstantRunner;
  std::vector<NodeJob> poll(const std::vector<std::string>&) override {
    throw Error(ErrorKind::measure, "the engine is lost", "start it again");
  }
  void cancel(const std::vector<std::string>& ids) override { cancelled = ids; }

  std::vector<std::string> cancelled;
};

TEST(Nodes, AnEngineThatFailsLeavesNoJobBehind) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  LostEngine engine(build, [](std::int64_t, std::int64_t) { return false; });
  EXPECT_THROW(nodes.coordinate(engine), Error);
  EXPECT_THAT(engine.cancelled, testing::ElementsAre("1.0", "2.0"));
}

std::string refusal_to_merge(const OverNodes& nodes) {
  try {
    merge_plan(nodes.run(), nodes.opened());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::measure);
    return error.what();
  }
  return "";
}

TEST(Nodes, APolicyThatWasEditedJudgesNothing) {
  const FakeBuild build(std::string(scripted_process) + "[ $side = head ] && slow 150; finish");
  OverNodes nodes(build, over(build, 2));
  EXPECT_EQ(nodes.with(always()).verdict.status, Status::regressed);
  const fs::path policy = nodes.opened().folder / "policies/fake/policy.json";
  Policy loose = policy_from_text(text_of_file(policy), policy.string());
  loose.margins = {.ignore = 10, .matter = 20};
  std::ofstream(policy) << to_text(loose);
  EXPECT_THAT(refusal_to_merge(nodes), HasSubstr("the policy of suite fake is not the one that was planned"));
  fs::remove(policy);
  EXPECT_THAT(refusal_to_merge(nodes), HasSubstr("the policy of suite fake is not the one that was planned"));
}

TEST(Nodes, AManifestThatWasEditedIsRefused) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  const OverNodes nodes(build, over(build, 2));
  std::ofstream(nodes.opened().folder / "head-manifest.json", std::ios::app) << "\n";
  try {
    project_of_plan(nodes.opened(), build.root() / "merged");
    FAIL() << "another manifest was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the manifest is not the one that was planned"));
  }
}

/// Makes every result of one node look as if another CPU had measured it.
void change_cpu_of(const std::string& node, const fs::path& plan) {
  for (const char* part : {"control", "exact", "pairs"}) {
    if (!fs::exists(plan / part)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(plan / part)) {
      if (entry.path().extension() != ".json") continue;
      NodeResult result = node_result_from_text(text_of_file(entry.path()), entry.path().string());
      if (!result.place.starts_with(node + " ")) continue;
      result.base.host["cpu_model"] = "another CPU";
      std::ofstream(entry.path()) << to_text(result);
    }
  }
}

TEST(Nodes, ANodeUnlikeTheOthersMeasuresNothing) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  InstantRunner runner(build, always());
  runner.submit({.plan = nodes.opened().folder, .shards = {1}});
  change_cpu_of("node1", nodes.opened().folder);
  const auto before = build.processes();
  runner.submit({.plan = nodes.opened().folder, .shards = {2}});
  EXPECT_EQ(build.processes(), before);
  EXPECT_THAT(*last_word(nodes.opened(), 2, 0), HasSubstr("unfit: the nodes differ: node1"));
  EXPECT_THAT(*last_word(nodes.opened(), 2, 0), HasSubstr("cpu_model another CPU"));
}

TEST(Nodes, PairsOfUnlikeNodesAreJudgedTogetherOnlyKnowingly) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  NodePlanOptions options = over(build, 2);
  OverNodes refused(build, options);
  refused.with(always());
  change_cpu_of("node2", refused.opened().folder);
  try {
    merge_plan(refused.run(), refused.opened());
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the nodes differ: node1"));
  }
  mark_unfinished(build.root() / "plan", 7);  // as a coordinator leaves it that was refused
  const auto before = build.processes();
  options.mixed_nodes = true;
  OverNodes mixed(build, options);
  EXPECT_TRUE(mixed.resumed());
  merge_plan(mixed.run(), mixed.opened());
  EXPECT_EQ(build.processes(), before) << "nothing is measured again";
  EXPECT_THAT(mixed.notices(), HasSubstr("the nodes differ: node1"));
}

TEST(Nodes, ACrashIsAFailureAndNoMissingPair) {
  const FakeBuild build(std::string(scripted_process) +
                        "[ $side = head ] && [ $group = timed ] && kill -SEGV $$; finish");
  OverNodes nodes(build, over(build, 2));
  InstantRunner runner(build, always());
  const Outcome outcome = nodes.coordinate(runner);
  EXPECT_EQ(outcome.verdict.status, Status::failed);
  EXPECT_THAT(runner.submitted, testing::ElementsAre("1.0")) << "the first crash decides, and nothing goes out again";
}

TEST(Nodes, TheSameCommandGoesOnAfterAKilledCoordinator) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  {
    OverNodes killed(build, over(build, 2));
    Listener listener;
    run_shard({.plan = killed.opened().folder, .shard = 1, .host = build.host()}, listener.caller());
  }
  const std::int64_t measured = build.processes();
  OverNodes nodes(build, over(build, 2));
  EXPECT_TRUE(nodes.resumed());
  InstantRunner runner(build, always());
  const Outcome outcome = nodes.coordinate(runner);
  EXPECT_THAT(runner.submitted, SizeIs(1)) << "shard 1 was done";
  EXPECT_EQ(outcome.verdict.status, Status::pass) << judged(outcome);
  EXPECT_GT(build.processes(), measured);
  OverNodes next(build, over(build, 2));
  EXPECT_FALSE(next.resumed()) << "a finished plan is not taken up";
}

TEST(Nodes, ASecondCoordinatorIsRefused) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 2));
  const RunLock first = RunLock::acquire({nodes.opened().folder / "coordinator.lock", "first", 0});
  EXPECT_THROW(nodes.with(always()), Error);
  EXPECT_EQ(build.processes(), 0);
}

}  // namespace
}  // namespace stepgate
