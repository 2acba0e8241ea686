#include "judge/rules/two_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two measurements of three processes each, about 0.5 % apart among themselves; the base is the one stored session.
struct TwoMeasurements {
  ExampleCase head = example_case(1);
  CaseValues base;

  explicit TwoMeasurements(double factor) {
    const std::vector<double> of_base{19.9e6, 20e6, 20.1e6};
    head.values.timed["step_time_ns"] = of_base;
    scale(head, "step_time_ns", factor);
    base = head.values;
    base.timed["step_time_ns"] = of_base;
    head.runner.sessions.front().timed["step_time_ns"] = of_base;
    head.base_group = &base;
  }

  MetricVerdict judge(const std::string& metric = "step_time_ns") const { return verdict_on(head.judge(), metric); }
};

TEST(TwoGroups, WelchsIntervalStandsBesideAVerdictThatIsNotItsOwn) {
  const MetricVerdict verdict = TwoMeasurements(1.08).judge();
  EXPECT_EQ(verdict.status, Status::inconclusive) << "two measurements cannot tell +8 % of the code from the machine's";
  // Logs: difference 0.0769610, se = sqrt(2 s^2 / 3) = 0.0040825, nu = 4 (equal spreads), t(1 - .05/3, 4) = 3.1863,
  // t(.95, 4) = 2.1318.
  EXPECT_THAT(verdict.detail, HasSubstr("the processes alone say +8.0 % [+6.6 %, +8.9 %]: worse, by the code or by a "
                                        "machine that moved in between"));
}

TEST(TwoGroups, AnInconclusiveOneSendsToPairsNotToMoreSessions) {
  const MetricVerdict verdict = TwoMeasurements(1.08).judge();
  EXPECT_THAT(verdict.detail, HasSubstr("two measurements leave it open: interleave the builds"));
  EXPECT_THAT(verdict.detail, Not(HasSubstr("more session")));
  EXPECT_FALSE(verdict.more_replicates);
}

TEST(TwoGroups, EachCallHasItsWords) {
  EXPECT_THAT(TwoMeasurements(1 / 1.08).judge().detail, HasSubstr(": better, by the code"));
  EXPECT_THAT(TwoMeasurements(1).judge().detail, HasSubstr(": no change that matters, unless the machine moved"));
  EXPECT_THAT(TwoMeasurements(1.013).judge().detail, HasSubstr(": no change that matters"));
  TwoMeasurements scattered(1);
  scattered.head.values.timed["step_time_ns"] = {15e6, 20e6, 25e6};
  EXPECT_THAT(scattered.judge().detail, HasSubstr(": too few, or too unlike each other"));
}

TEST(TwoGroups, HigherIsBetterIsTurnedAround) {
  TwoMeasurements both(1);
  const std::vector<double> rates{995, 1000, 1005};
  both.base.timed["loader_samples_per_s"] = rates;
  both.head.runner.sessions.front().timed["loader_samples_per_s"] = rates;
  both.head.values.timed["loader_samples_per_s"] = {895, 900, 905};
  EXPECT_THAT(both.judge("loader_samples_per_s").detail, HasSubstr("the processes alone say +11.1 %"));
}

TEST(TwoGroups, BeyondTheCoarseLimitItIsRedAllTheSame) {
  const MetricVerdict verdict = TwoMeasurements(1.35).judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(verdict.reason, "beyond-coarse-limit");
  EXPECT_THAT(verdict.detail, HasSubstr("the processes alone say +35.0 %"));
}

TEST(TwoGroups, WithoutTheOtherGroupNothingIsSaid) {
  TwoMeasurements both(1.08);
  both.head.base_group = nullptr;
  EXPECT_THAT(both.judge().detail, Not(HasSubstr("the processes alone")));
  EXPECT_THAT(both.judge().detail, HasSubstr("more session"));
}

TEST(TwoGroups, TheBaseMustBeFitAsWell) {
  TwoMeasurements unsteady(1);
  unsteady.base.unsteady = 2;
  unsteady.base.unsteady_reasons = {"the second half is 9 % slower"};
  EXPECT_EQ(unsteady.judge().reason, "not-steady");
  EXPECT_THAT(unsteady.judge().detail, HasSubstr("of the base: the second half is 9 % slower (2 of 3 processes"));
  TwoMeasurements few(1.35);
  few.base.timed["step_time_ns"] = {20e6, 20.1e6};
  EXPECT_EQ(few.judge().status, Status::inconclusive);
  EXPECT_THAT(few.judge().detail, HasSubstr("of the base: 2 of the 3 clean replicates needed"));
}

TEST(TwoGroups, ABaseThatWasDiscardedIsTooLittleNotMissing) {
  TwoMeasurements discarded(1);
  discarded.base.timed.clear();
  discarded.base.clean_timed = 0;
  discarded.base.tainted = 5;
  discarded.head.has_runner = false;  // no session can be made of it
  EXPECT_EQ(discarded.judge().status, Status::inconclusive);
  EXPECT_EQ(discarded.judge().reason, "too-few-clean-replicates");
  EXPECT_THAT(discarded.judge().detail, HasSubstr("of the base: 0 of the 3 clean replicates needed; 5 tainted"));
}

/// Peak memory one MiB above the base's, on so many processes of each side.
MetricVerdict grown_bytes(std::size_t of_base, std::size_t of_head) {
  TwoMeasurements both(1);
  both.base.bytes["peak_allocated_bytes"] = std::vector<std::int64_t>(of_base, 4096);
  both.head.values.bytes["peak_allocated_bytes"] = std::vector<std::int64_t>(of_head, 4096 + (1 << 20));
  return both.judge("peak_allocated_bytes");
}

TEST(TwoGroups, BytesThatGrewOnFewProcessesAreOpen) {
  EXPECT_EQ(grown_bytes(2, 2).status, Status::inconclusive);
  EXPECT_EQ(grown_bytes(2, 6).status, Status::inconclusive);
  EXPECT_EQ(grown_bytes(6, 2).reason, "too-few-processes");
  EXPECT_THAT(grown_bytes(6, 2).detail, HasSubstr("6 and 2 processes may agree by chance, 6 of each decide"));
  EXPECT_EQ(grown_bytes(6, 6).status, Status::regressed);
}

TEST(TwoGroups, WhatHasNoEstimateIsLeftUnsaid) {
  TwoMeasurements broken(1.08);
  broken.base.timed["step_time_ns"] = {20e6, 0, 20e6};
  EXPECT_THAT(broken.judge().detail, Not(HasSubstr("the processes alone")));
  broken.base.timed["step_time_ns"] = {20e6, std::nan(""), 20e6};
  EXPECT_THAT(broken.judge().detail, Not(HasSubstr("the processes alone")));
  TwoMeasurements constant(1);
  constant.base.timed["step_time_ns"] = {20e6, 20e6, 20e6};
  constant.head.values.timed["step_time_ns"] = {20e6, 20e6, 20e6};
  EXPECT_THAT(constant.judge().detail, Not(HasSubstr("the processes alone")));
}

}  // namespace
}  // namespace stepgate
