#include "experiment/results/stale_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

StoredVerdict verdict_of(const std::string& group, const std::string& utc, const std::string& commit = "aaa") {
  StoredVerdict verdict;
  verdict.outcome.verdict.case_name = "suite/case";
  verdict.outcome.group = group;
  verdict.utc = utc;
  verdict.commit = commit;
  return verdict;
}

std::vector<std::string> groups(const std::vector<StoredVerdict>& verdicts) {
  std::vector<std::string> names;
  for (const StoredVerdict& verdict : verdicts) names.push_back(verdict.outcome.group);
  return names;
}

TEST(StaleResults, BothHalvesOfOneCommitCount) {
  const auto results = without_stale({verdict_of("exact", "T1"), verdict_of("timed", "T2"), verdict_of("ab", "T3")});
  EXPECT_THAT(groups(results.fresh), ElementsAre("exact", "timed", "ab"));
  EXPECT_THAT(results.of_other_commits, IsEmpty());
}

TEST(StaleResults, AWholeGateReplacesOlderHalves) {
  EXPECT_THAT(groups(without_stale({verdict_of("exact", "T1"), verdict_of("all", "T2")}).fresh), ElementsAre("all"));
}

TEST(StaleResults, BothHalvesTogetherReplaceAnOlderWholeGateAndOneAloneDoesNot) {
  const StoredVerdict whole = verdict_of("all", "T1");
  const StoredVerdict exact = verdict_of("exact", "T2");
  EXPECT_THAT(groups(without_stale({exact, whole}).fresh), ElementsAre("exact", "all"));
  EXPECT_THAT(groups(without_stale({exact, verdict_of("timed", "T3"), whole}).fresh), ElementsAre("exact", "timed"));
}

TEST(StaleResults, WhatIsOfAnOlderCommitIsLeftOut) {
  const auto results = without_stale({verdict_of("exact", "T2", "bbb"), verdict_of("timed", "T1", "aaa")});
  EXPECT_THAT(groups(results.fresh), ElementsAre("exact"));
  EXPECT_THAT(groups(results.of_other_commits), ElementsAre("timed"));
  const auto unknown = without_stale({verdict_of("exact", "T2", ""), verdict_of("timed", "T1", "aaa")});
  EXPECT_THAT(groups(unknown.fresh), ElementsAre("exact", "timed"));
}

TEST(StaleResults, OtherCasesReplaceNothing) {
  StoredVerdict other = verdict_of("all", "T9", "bbb");
  other.outcome.verdict.case_name = "suite/other";
  EXPECT_THAT(groups(without_stale({verdict_of("exact", "T1"), other}).fresh), ElementsAre("exact", "all"));
}

TEST(StaleResults, OfOneSecondTheLaterFileCounts) {
  StoredVerdict exact = verdict_of("exact", "T1");
  StoredVerdict whole = verdict_of("all", "T1");
  whole.written = exact.written + std::chrono::seconds(1);
  EXPECT_THAT(groups(without_stale({exact, whole}).fresh), ElementsAre("all"));
}

}  // namespace
}  // namespace stepgate
