// A case whose head works while it has no window is measured process by process from then on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/four_pairs.h"
#include "experiment/plan/measurement_files.h"
#include "judge/reduce/waiting_sides.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Shell code after noisy_process: in alternating windows, a process says how much CPU time it used while it waited.
std::string waiting_process(const std::string& of_head_ns) {
  return std::string(noisy_process) + R"sh(
cpu=
for argument in "$@"; do
  case $argument in --stepgate_turns=*) cpu=0; [ "$side" = head ] && cpu=)sh" +
         of_head_ns + R"sh( ;; esac
done
finish
if [ -n "$cpu" ]; then
  sed -i "0,/\"warmup\"/s//\"waiting\": {\"cpu_ns\": $cpu, \"wall_ns\": 1000000}, \"warmup\"/" "$record"
fi
)sh";
}

AbOptions in_windows(const FakeBuild& build) {
  AbOptions options = four_pairs(build);
  options.pairs.interleave = Interleave::windows;
  return options;
}

Measurement head_of_pair(const FakeBuild& build, const std::string& number) {
  return read_measurement(ab_folder(build) / "pairs" / number / "head" / "measurement.json");
}

bool has_finding(const JudgedRun& run, FindingCode code) {
  const auto& findings = run.report.outcomes.at(0).findings;
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.code == code; });
}

TEST(EndOfAlternation, AHeadThatWorksWhileItWaitsIsMeasuredProcessByProcess) {
  const FakeBuild build(waiting_process("980000"));
  Listener listener;
  const JudgedRun run = run_ab(build.project(), in_windows(build), listener.caller());
  EXPECT_THAT(listener.notices(), HasSubstr("head used 98 % of a CPU while base had its window"));
  EXPECT_THAT(listener.notices(), HasSubstr("one after the other"));
  EXPECT_THAT(head_of_pair(build, "000").replicates.at(0).set_aside, HasSubstr("head used 98 %"));
  EXPECT_EQ(head_of_pair(build, "001").replicates.at(0).set_aside, "");
  EXPECT_FALSE(head_of_pair(build, "001").replicates.at(0).record->waiting);
  ASSERT_THAT(run.report.outcomes, SizeIs(1));
  EXPECT_TRUE(has_finding(run, FindingCode::busy_while_waiting));
  EXPECT_TRUE(fs::exists(ab_folder(build) / "pairs/004")) << "the pair that was set aside counts as no try";
  EXPECT_FALSE(fs::exists(ab_folder(build) / "pairs/005"));
}

TEST(EndOfAlternation, IdleSidesGoOnInWindows) {
  const FakeBuild build(waiting_process("9000"));
  Listener listener;
  const JudgedRun run = run_ab(build.project(), in_windows(build), listener.caller());
  EXPECT_THAT(listener.notices(), Not(HasSubstr("one after the other")));
  EXPECT_TRUE(head_of_pair(build, "003").replicates.at(0).record->waiting);
  EXPECT_EQ(head_of_pair(build, "003").replicates.at(0).set_aside, "");
  EXPECT_FALSE(has_finding(run, FindingCode::busy_while_waiting));
}

TEST(EndOfAlternation, AnInterruptedRunGoesOnProcessByProcess) {
  const FakeBuild build(waiting_process("980000"));
  Listener stopping(build, 6);
  run_ab(build.project(), in_windows(build), stopping.caller());
  Listener going_on;
  run_ab(build.project(), in_windows(build), going_on.caller());
  EXPECT_THAT(head_of_pair(build, "000").replicates.at(0).set_aside, HasSubstr("head used 98 %"));
  EXPECT_FALSE(head_of_pair(build, "004").replicates.at(0).record->waiting);
}

}  // namespace
}  // namespace stepgate
