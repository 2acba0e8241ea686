#include "judge/verdict/late_losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

ProcessLosses timed_losses(std::optional<std::int64_t> broken_step) {
  PassLosses e2e{.steps = 60, .seen = 60, .last_seen = 89};
  if (broken_step) e2e.breaks["loss"] = {*broken_step, NAN};
  return {Group::timed, 1, {{"e2e", e2e}}};
}

ProcessLosses exact_losses(std::int64_t replicate, std::vector<double> values) {
  const std::int64_t steps = std::ssize(values);
  return {Group::exact,
          replicate,
          {{"counts", {.steps = steps, .seen = steps, .last_seen = steps - 1, .values = std::move(values)}}}};
}

TEST(LateLosses, ALossThatIsNotFiniteInATimedPassIsRed) {
  ExampleCase example = example_case();
  example.values.losses = {timed_losses(34)};
  const MetricVerdict verdict = verdict_on(example.judge(), "loss");
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "non-finite");
  EXPECT_FALSE(verdict.current) << "no document holds such a number";
  EXPECT_THAT(verdict.detail, HasSubstr("nan in step 34, pass e2e of timed process 1"));
  EXPECT_EQ(example.judge().status, Status::regressed);
  example.values.losses = {timed_losses(std::nullopt)};
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(LateLosses, TheTimedHalfAloneIsRedToo) {
  ExampleCase example = example_case();
  example.judge_exact = false;
  example.values.losses = {timed_losses(34)};
  EXPECT_EQ(example.judge().status, Status::regressed);
  example.values.losses = {timed_losses(std::nullopt)};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss").reason), "no verdict");
}

TEST(LateLosses, WhatTheBaseHasTooIsNotRed) {
  ExampleCase example = example_case();
  example.values.losses = {timed_losses(34)};
  CaseValues base = example.values;
  base.losses = {timed_losses(36)};
  example.base_group = &base;
  EXPECT_EQ(verdict_on(example.judge(), "loss").status, Status::pass);
  base.losses = {timed_losses(std::nullopt)};
  EXPECT_EQ(verdict_on(example.judge(), "loss").status, Status::regressed);
}

/// 60 steps of pass numerics, of which 21 are compared, with the loss of one of them changed.
ExampleCase with_long_numerics(std::size_t changed_step, double factor) {
  ExampleCase example = example_case();
  example.portable.numerics->loss = std::vector<double>(60, 2.5);
  std::vector<double> now(60, 2.5);
  for (std::size_t step = changed_step; step < now.size(); ++step) now[step] *= factor;
  for (NumericTrace& trace : example.values.numerics) trace.loss = now;
  return example;
}

TEST(LateLosses, ALateStepThatDivergesFromEqualBitsIsRed) {
  const MetricVerdict verdict = verdict_on(with_long_numerics(40, 1.1).judge(), "loss");
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "numerics-changed");
  EXPECT_THAT(verdict.detail, HasSubstr("out of tolerance from step 40 of pass numerics on: 2.5 -> 2.75"));
  EXPECT_EQ(verdict_on(with_long_numerics(40, 1.00001).judge(), "loss").status, Status::pass) << "within tolerance";
}

TEST(LateLosses, RoundingThatGrowsOverLateStepsIsNotRed) {
  ExampleCase example = with_long_numerics(40, 1.1);
  for (NumericTrace& trace : example.values.numerics) trace.loss[3] = 2.5000001;
  EXPECT_EQ(verdict_on(example.judge(), "loss").status, Status::pass);
}

TEST(LateLosses, ARunThatDoesNotRepeatIsNotComparedLate) {
  ExampleCase example = with_long_numerics(40, 1.1);
  example.values.numerics[1].loss[50] = 2.7;
  EXPECT_EQ(verdict_on(example.judge(), "loss").status, Status::pass);
}

TEST(LateLosses, OtherExactPassesAreHeldAgainstThoseOfTheBase) {
  ExampleCase example = example_case();
  const std::vector<double> before(40, 2.5);
  std::vector<double> now = before;
  now[33] = 2.6;
  CaseValues base = example.values;
  base.losses = {exact_losses(0, before), exact_losses(1, before)};
  example.values.losses = {exact_losses(0, now), exact_losses(1, now)};
  example.base_group = &base;
  EXPECT_THAT(verdict_on(example.judge(), "loss").detail, HasSubstr("from step 33 of pass counts on"));
  example.values.losses = base.losses;
  EXPECT_EQ(verdict_on(example.judge(), "loss").status, Status::pass);
}

TEST(LateLosses, OneProcessShowsNotThatASideRepeats) {
  ExampleCase example = example_case();
  const std::vector<double> before(40, 2.5);
  std::vector<double> now = before;
  now[33] = 2.6;
  CaseValues base = example.values;
  base.losses = {exact_losses(0, before)};
  example.values.losses = {exact_losses(0, now)};
  example.base_group = &base;
  EXPECT_EQ(verdict_on(example.judge(), "loss").status, Status::pass);
}

TEST(LateLosses, TellsUpToWhichStepAnythingWasJudged) {
  ExampleCase example = example_case();
  Comparison input{.current = example.values, .exact = example.portable};
  EXPECT_FALSE(judged_losses(input)) << "records of an older program";
  input.current.losses = {timed_losses(std::nullopt)};
  const JudgedLosses judged = judged_losses(input).value();
  EXPECT_EQ(judged, (JudgedLosses{.last_step = 89, .seen = 102, .steps = 102, .compared = 21}));
  EXPECT_EQ(text_of(judged),
            "judged up to step 89: 102 of 102 losses were looked at, the first 21 steps were compared");
}

}  // namespace
}  // namespace stepgate
