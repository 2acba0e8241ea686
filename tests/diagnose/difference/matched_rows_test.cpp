#include "diagnose/difference/matched_rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/difference/observed_processes.h"

namespace stepgate {
namespace {

using testing::UnorderedElementsAre;

/// "name base-work/head-work at line" of every row; "-" where a side lacks it. The bytes tell sites apart.
std::vector<std::string> matches(const std::vector<SimulatedSite>& base, const std::vector<SimulatedSite>& head,
                                 FramesFrom head_frames = FramesFrom::lines) {
  SimulatedMachine machine(1);
  ObservedBuilds builds{{*machine.process(base).observed}, {*machine.process(head).observed}};
  builds.head.front().frames_from = head_frames;
  std::vector<std::string> texts;
  for (const MatchedRow& row : matched_rows(builds)) {
    const std::string of_base = row.in_base ? fmt::format("{}", row.base.front().bytes) : "-";
    const std::string of_head = row.in_head ? fmt::format("{}", row.head.front().bytes) : "-";
    texts.push_back(fmt::format("{} {}/{} at {}", row.name, of_base, of_head, row.at->line));
  }
  return texts;
}

SimulatedSite call(const std::string& name, const std::string& function, std::int64_t line, std::int64_t bytes) {
  return {.boundary = "forward", .name = name, .function = function, .line = line, .self_ns = 1000, .bytes = bytes};
}

TEST(MatchedRows, FollowLinesThatMoved) {
  EXPECT_THAT(
      matches({call("mm", "f", 10, 1), call("mm", "f", 11, 2)}, {call("mm", "f", 30, 1), call("mm", "f", 31, 2)}),
      UnorderedElementsAre("mm 1/1 at 30", "mm 2/2 at 31"));
}

TEST(MatchedRows, ANewLineBetweenOthersIsNew) {
  EXPECT_THAT(matches({call("mm", "f", 10, 1), call("mm", "f", 11, 1)},
                      {call("mm", "f", 10, 1), call("mm", "f", 11, 7), call("mm", "f", 12, 1)}),
              UnorderedElementsAre("mm 1/1 at 10", "mm -/7 at 11", "mm 1/1 at 12"));
}

/// Line 11 does what line 10 did: the number decides.
TEST(MatchedRows, OfTwoAlikeTheSameLineNumberIsTheOldOne) {
  EXPECT_THAT(matches({call("mm", "f", 11, 1)}, {call("mm", "f", 10, 1), call("mm", "f", 11, 1)}),
              UnorderedElementsAre("mm 1/1 at 11", "mm -/1 at 10"));
}

/// Both multiply alike; what else the line does tells them apart.
TEST(MatchedRows, TheOtherOperatorsOfALineBelongToIt) {
  EXPECT_THAT(matches({call("mm", "f", 10, 1), call("relu", "f", 10, 5)},
                      {call("mm", "f", 12, 1), call("mm", "f", 13, 1), call("relu", "f", 13, 5)}),
              UnorderedElementsAre("mm 1/1 at 13", "relu 5/5 at 13", "mm -/1 at 12"));
}

TEST(MatchedRows, ALineThatDoesMoreIsTheSameLine) {
  EXPECT_THAT(
      matches({call("mm", "f", 10, 1), call("mm", "f", 20, 2)}, {call("mm", "f", 10, 1), call("mm", "f", 21, 9)}),
      UnorderedElementsAre("mm 1/1 at 10", "mm 2/9 at 21"));
}

TEST(MatchedRows, AFunctionWithANewNameIsFoundByItsWork) {
  EXPECT_THAT(matches({call("mm", "old", 10, 1)}, {call("mm", "new", 50, 1), call("mm", "new", 51, 2)}),
              UnorderedElementsAre("mm 1/1 at 50", "mm -/2 at 51"));
}

TEST(MatchedRows, FunctionsAreLeftOutWhereOnlyOneBuildHasLines) {
  EXPECT_THAT(matches({call("mm", "f", 10, 1), call("mm", "f", 20, 2)}, {call("mm", "g", 9, 4)}, FramesFrom::symbols),
              UnorderedElementsAre("mm 3/4 at 9"));
}

TEST(MatchedRows, WhatIsGoneHasTheLineOfTheBase) {
  EXPECT_THAT(matches({call("mm", "f", 10, 1), call("add", "f", 12, 2)}, {call("mm", "f", 10, 1)}),
              UnorderedElementsAre("mm 1/1 at 10", "add 2/- at 12"));
}

}  // namespace
}  // namespace stepgate
