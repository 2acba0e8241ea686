// What `ctest -L perf` offers for the halves that it could not judge.
#include "experiment/results/judging_command.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "experiment/fake_build.h"
#include "experiment/results/report_files.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

Outcome half_of(TierChoice half, const std::string& metric, Status status) {
  Outcome outcome;
  outcome.verdict.case_name = fake_case;
  outcome.verdict.status = status;
  outcome.verdict.metrics.emplace_back().metric = metric;
  outcome.verdict.metrics.back().status = status;
  outcome.kind = {.half = half};
  return outcome;
}

class JudgingCommandOf : public testing::Test {
 protected:
  JudgingCommandOf() : build_("good"), project_(build_.project()) {}

  JudgingCommand command(std::vector<Outcome> outcomes) {
    Caller caller = listener_.caller();
    caller.commands.gate_all = [](TierChoice tier, bool against_base) {
      return "gate " + std::string(name_of(tier)) + (against_base ? " --base-build DIR" : "");
    };
    RunReport report = report_of(project_, std::move(outcomes));
    report.expected_cases = {fake_case};
    return judging_command(project_, caller, report);
  }

  FakeBuild build_;
  Project project_;
  Listener listener_;
  const Outcome exact_ = half_of(TierChoice::exact, "operators_per_step", Status::pass);
  const Outcome open_ = half_of(TierChoice::timed, "step_time_ns", Status::no_baseline);
};

TEST_F(JudgingCommandOf, TimesWithoutABaselineAreJudgedAgainstABaseBuild) {
  const JudgingCommand found = command({exact_, open_});
  EXPECT_EQ(found.text, "gate timed --base-build DIR");
  EXPECT_EQ(found.halves, 1);
  EXPECT_TRUE(found.against_base);
  EXPECT_FALSE(found.most_s) << "nothing says how long a process takes";
}

TEST_F(JudgingCommandOf, AProjectWithAScriptForItIsToldThat) {
  project_.manifest.source_root = build_.root();
  std::filesystem::create_directories(build_.root() / "ci");
  write_file_atomically(build_.root() / "ci" / "perf", "#!/bin/sh\necho another script of this name\n");
  EXPECT_EQ(command({exact_, open_}).text, "gate timed --base-build DIR");
  write_file_atomically(build_.root() / "ci" / "perf", "#   ci/perf [--against REF]\n");
  EXPECT_EQ(command({exact_, open_}).text, "ci/perf --against main");
}

TEST_F(JudgingCommandOf, TheTimeIsThatOfFourToSixteenPairsByWhatWasMeasured) {
  Outcome timed = open_;
  timed.seconds = 20;
  timed.distributions = {{.what = "step", .processes = 5}};
  const JudgingCommand found = command({exact_, timed});
  // 4 s a process, and the pairs of the control beside those of the case.
  EXPECT_DOUBLE_EQ(found.fewest_s.value(), 20 + 2 * 4 * (4 + 4));
  EXPECT_DOUBLE_EQ(found.most_s.value(), 20 + 2 * 16 * (4 + 4));
}

TEST_F(JudgingCommandOf, WhatWasNotMeasuredIsMeasured) {
  const JudgingCommand both = command({});
  EXPECT_EQ(both.text, "gate all --base-build DIR");
  EXPECT_EQ(both.halves, 2);
  const JudgingCommand exact = command({half_of(TierChoice::timed, "step_time_ns", Status::pass)});
  EXPECT_EQ(exact.text, "gate exact");
  EXPECT_FALSE(exact.against_base);
}

TEST_F(JudgingCommandOf, NothingIsOfferedThatWouldDecideNothing) {
  EXPECT_EQ(command({exact_, half_of(TierChoice::timed, "step_time_ns", Status::regressed)}).text, "");
  Outcome skipped = half_of(TierChoice::all, "step_time_ns", Status::skipped);
  EXPECT_EQ(command({skipped}).text, "") << "no device";
  Outcome by_pairs = half_of(TierChoice::timed, "step_time_ns", Status::inconclusive);
  by_pairs.pairs_decided = true;
  EXPECT_EQ(command({exact_, by_pairs}).text, "") << "pairs were measured";
}

}  // namespace
}  // namespace stepgate
