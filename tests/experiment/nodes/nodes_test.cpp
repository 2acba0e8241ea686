// A comparison of two builds over nodes, from the plan to the report. The nodes are this process under other names.
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
#include "json/stored/shard_plan_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

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
  EXPECT_EQ(text_of_file(four.root() / "merged" / fake_case / "ab/ab.json").find("\"complete\": false"),
            std::string::npos);
  EXPECT_THAT(text_of_file(four.root() / "merged/ab/verdict.json"), HasSubstr("\"exit_status\": 1")) << "of all cases";
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

}  // namespace
}  // namespace stepgate
