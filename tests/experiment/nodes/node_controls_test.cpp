// What the A/A controls of nodes do to their pairs, and to a red.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "experiment/fake_build.h"
#include "experiment/nodes/over_nodes.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

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
  EXPECT_EQ(name_of(outcome.verdict.reason), "control-moved");
}

TEST(Nodes, ARedThatNoNodesShiftExplainsStands) {
  const FakeBuild build(std::string(scripted_process) +
                        "case $node-$side in node[12]-twin) slow 101 ;; *-head) slow 200 ;; esac; finish");
  OverNodes nodes(build, over(build, 4, 16));
  const Outcome outcome = nodes.with(always());
  EXPECT_EQ(outcome.verdict.status, Status::regressed) << judged(outcome);
}

TEST(Nodes, OtherNodesMayBeHitHarderThanTheRejectedOnes) {
  // +20 % on the log scale is 18 %: twice that would leave +100 %, 69 %, a red. The control is of the same case.
  const FakeBuild build(std::string(scripted_process) +
                        "case $node-$side in node[12]-twin) slow 120 ;; *-head) slow 200 ;; esac; finish");
  OverNodes nodes(build, over(build, 4, 16));
  const Outcome outcome = nodes.with(always());
  EXPECT_EQ(outcome.verdict.status, Status::inconclusive) << judged(outcome);
  EXPECT_EQ(name_of(outcome.verdict.reason), "control-moved");
}

TEST(Nodes, TheLargestShiftOfTheRejectedNodesCounts) {
  const FakeBuild build(std::string(scripted_process) +
                        "case $node-$side in node1-twin) slow 101 ;; node2-twin|*-head) slow 200 ;; esac; finish");
  OverNodes nodes(build, over(build, 4, 16));
  const Outcome outcome = nodes.with(always());
  EXPECT_EQ(outcome.verdict.status, Status::inconclusive) << judged(outcome);
  EXPECT_EQ(name_of(outcome.verdict.reason), "control-moved");
}

}  // namespace
}  // namespace stepgate
