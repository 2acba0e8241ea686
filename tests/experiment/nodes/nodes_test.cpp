// A comparison of two builds over nodes, from the plan to the report. The nodes are this process under other names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/error.h"
#include "environment/guard/run_lock.h"
#include "experiment/fake_build.h"
#include "experiment/nodes/instant_runner.h"
#include "experiment/nodes/make_plan.h"
#include "experiment/nodes/merge_plan.h"
#include "experiment/nodes/node_coordinator.h"
#include "experiment/nodes/node_decisions.h"
#include "experiment/nodes/planned_run.h"
#include "experiment/pairs/resumption.h"
#include "json/results/run_report_json.h"
#include "json/stored/shard_plan_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// One line per process, and a step time that differs from pair to pair by up to 2 %, the same on every node.
constexpr const char* scripted_process = R"sh(
side=$(basename "$(dirname "$0")")
node=$(cat "$here/node")
pair=$(echo "$record" | sed 's#.*/\([a-z]*\)/0*\([0-9][0-9]*\)/[a-z]*/.*#\1 \2#')
echo "$node $side $group $pair" >> "$here/log"
n=${pair#* }
case $n in *[!0-9]*) n=0 ;; esac
wall=$((100000 + n * 777 % 2000))
[ $side = head ] && wall=$((wall + n * 31 % 40))
slow() { wall=$((wall * $1 / 100)); }
finish() { sed "s/1000/$wall/" "$here/$group-$replicate.json" > "$record"; }
)sh";

std::string text_in(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

NodePlanOptions over(const FakeBuild& build, std::int64_t shards, std::int64_t most_pairs = 8) {
  return {.ab = {.measure = {.tier = TierChoice::all, .exact_replicates = 1},
                 .host = build.host(),
                 .pairs = {.base_build = build.root(),
                           .most_pairs = most_pairs,
                           .interleave = Interleave::processes,
                           .order_seed = 7}},
          .shards = shards,
          .layout = NodeLayout::by_round};
}

/// One comparison over nodes in a plan folder of its own.
class OverNodes {
 public:
  OverNodes(const FakeBuild& build, const NodePlanOptions& options)
      : build_(build),
        made_(make_node_plan(build.project(), build.root() / "plan", options, listener_.caller())),
        project_(project_of_plan(made_.opened, build.root() / "merged")),
        measure_(measure_options_of(made_.opened.plan)) {}

  const OpenedPlan& opened() const { return made_.opened; }
  bool resumed() const { return made_.resumed; }
  Run run() const { return {project_, measure_, host_, listener_.caller()}; }
  Listener& listener() { return listener_; }
  std::string notices() const { return listener_.notices(); }

  Outcome coordinate(NodeRunner& runner) {
    const Run asked = run();
    JudgedRun judged;
    coordinate_nodes(asked, opened(), runner, {.at_the_end = [&](int) {
                       judged = merge_plan(asked, opened());
                       finish_node_plan(opened());
                     }});
    return judged.report.outcomes.at(0);
  }
  Outcome with(const InstantRunner::Before& before) {
    InstantRunner runner(build_, before);
    return coordinate(runner);
  }

 private:
  const FakeBuild& build_;
  Listener listener_;
  MadePlan made_;
  Project project_;
  MeasureOptions measure_;
  MeasuredHost host_;
};

/// What a verdict says of each metric.
std::string judged(const Outcome& outcome) {
  std::string all;
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    all += fmt::format("{} {} {} {}\n", metric.metric, name_of(metric.status), metric.reason, metric.detail);
  }
  return all;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Nodes, OneNodeAndFourGiveTheSameVerdict) {
  const std::string program = std::string(scripted_process) + "[ $side = head ] && slow 150; finish";
  const FakeBuild one(program), four(program);
  OverNodes alone(one, over(one, 1)), spread(four, over(four, 4));
  const Outcome of_one = alone.with(always());
  const Outcome of_four = spread.with(always());
  EXPECT_EQ(of_one.verdict.status, Status::regressed) << judged(of_one);
  EXPECT_EQ(judged(of_one), judged(of_four));
  EXPECT_EQ(names_in(four.root() / "merged" / fake_case / "ab/pairs"),
            names_in(one.root() / "merged" / fake_case / "ab/pairs"));
  EXPECT_EQ(text_in(four.root() / "merged" / fake_case / "ab/ab.json").find("\"complete\": false"), std::string::npos);
}

TEST(Nodes, AFileOfADecisionThatHoldsNoNumberIsNamed) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  const OverNodes nodes(build, over(build, 1));
  const fs::path file = nodes.opened().folder / "decided" / fake_case;
  fs::create_directories(file.parent_path());
  for (const char* text : {"", "eight\n", "8 pairs\n", "0\n", "-8\n", "8"}) {
    std::ofstream(file) << text;
    try {
      decided_end(nodes.opened(), fake_case);
      ADD_FAILURE() << "'" << text << "' was read";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(file.string()));
      EXPECT_THAT(error.remedy(), HasSubstr("remove the file"));
    }
  }
}

TEST(Nodes, ThatAGpuIsRequiredReachesTheJudgement) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  Project head = build.project();
  head.require_gpu = true;
  Listener listener;
  const MadePlan made = make_node_plan(head, build.root() / "plan", over(build, 1), listener.caller());
  EXPECT_TRUE(project_of_plan(open_plan(made.opened.folder), build.root() / "merged").require_gpu);
}

TEST(Nodes, BothProcessesOfAPairRunOnOneNode) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 4));
  nodes.with(always());
  std::istringstream log(build.program().text_of("log"));
  std::map<std::string, std::set<std::string>> nodes_of_pair;
  for (std::string line; std::getline(log, line);) {
    std::istringstream words(line);
    std::string node, side, group, kind, index;
    words >> node >> side >> group >> kind >> index;
    if (kind == "pairs") nodes_of_pair[index].insert(node);
  }
  EXPECT_THAT(nodes_of_pair, Not(IsEmpty()));
  for (const auto& [index, on] : nodes_of_pair) EXPECT_THAT(on, SizeIs(1)) << "pair " << index;
}

/// The files of a finished plan arrive one by one in another order.
TEST(Nodes, TheOrderOfArrivalChangesNoByte) {
  const FakeBuild build(std::string(scripted_process) + "finish");
  OverNodes nodes(build, over(build, 4, 16));
  nodes.with(always());
  const fs::path arriving = build.root() / "arriving";
  fs::copy(nodes.opened().folder, arriving, fs::copy_options::recursive);
  fs::remove_all(arriving / "decided");
  fs::remove_all(arriving / "pairs");
  OpenedPlan again = open_plan(arriving);
  const auto run = nodes.run();
  NodeResults results(again);
  NodeDecisions decisions(run, again);
  auto files = names_in(nodes.opened().folder / "pairs" / fake_case);
  std::reverse(files.begin(), files.end());
  fs::create_directories(arriving / "pairs" / fake_case);
  for (const std::string& file : files) {
    fs::copy(nodes.opened().folder / "pairs" / fake_case / file, arriving / "pairs" / fake_case / file);
    results.read_new();
    decisions.look(results);
  }
  ASSERT_TRUE(decided_end(nodes.opened(), fake_case));
  EXPECT_EQ(decided_end(again, fake_case), decided_end(nodes.opened(), fake_case));
  EXPECT_LT(*decided_end(again, fake_case), std::ssize(files)) << "some pairs were measured in vain";
  const Outcome outcome = merge_plan(run, again).report.outcomes.at(0);
  EXPECT_EQ(names_in(build.root() / "merged" / fake_case / "ab/pairs").size(),
            static_cast<std::size_t>(*decided_end(again, fake_case)));
}

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
  NodeResult twin = node_result_from_text(text_in(file), file.string());
  twin.attempt = 1;
  for (Replicate& replicate : twin.head.replicates) replicate.record->timed.at("e2e").windows.at(0).wall_ns *= 3;
  EXPECT_TRUE(hand_back(nodes.opened(), twin));
  EXPECT_FALSE(hand_back(nodes.opened(), twin)) << "the first file stays";
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
  NodeResult twin = *results.exact(fake_case);
  twin.attempt = 1;
  EXPECT_TRUE(hand_back(nodes.opened(), twin));
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
  NodeResult foreign = node_result_from_text(text_in(file), file.string());
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

/// Makes every result of one node look as if another CPU had measured it.
void change_cpu_of(const std::string& node, const fs::path& plan) {
  for (const char* part : {"control", "exact", "pairs"}) {
    if (!fs::exists(plan / part)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(plan / part)) {
      if (entry.path().extension() != ".json") continue;
      NodeResult result = node_result_from_text(text_in(entry.path()), entry.path().string());
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

TEST(Nodes, NothingOfANodeCountsWhoseControlMoved) {
  // node2 runs whatever is not the base twice as slowly.
  const FakeBuild build(std::string(scripted_process) +
                        "case $node-$side in node2-head|node2-twin) slow 200 ;; esac; finish");
  OverNodes nodes(build, over(build, 4));
  const Outcome outcome = nodes.with(always());
  EXPECT_THAT(nodes.notices(), HasSubstr("none of its pairs count"));
  EXPECT_EQ(outcome.verdict.status, Status::pass) << judged(outcome);
  EXPECT_FALSE(fs::exists(build.root() / "merged" / fake_case / "ab/pairs/001")) << "it was of node2";
}

TEST(Nodes, ARedStaysOpenWhereHalfOfTheNodesFavourASide) {
  const FakeBuild build(std::string(scripted_process) +
                        "case $node-$side in node[12]-twin|*-head) slow 200 ;; esac; finish");
  OverNodes nodes(build, over(build, 4, 16));
  const Outcome outcome = nodes.with(always());
  EXPECT_EQ(outcome.verdict.status, Status::inconclusive) << judged(outcome);
  EXPECT_EQ(outcome.verdict.reason, "control-moved");
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
