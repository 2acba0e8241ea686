#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* beside_the_step = "background_cpu_ns_per_step";

SampleCase with_background(double before, double now, Status step = Status::pass) {
  SampleCase sample;
  sample.timed("step_time_ns", step, 10e6, step == Status::regressed ? 20e6 : 10e6);
  sample.timed(beside_the_step, Status::not_judged, before, now);
  return sample;
}

TEST(BackgroundWork, IsACauseWhereTheStepIsSlower) {
  SampleCase sample = with_background(0, 10e6, Status::regressed);
  sample.current.background_threads = {{"idle", 1000}, {"spinner", 9'000'000}};
  const auto findings = explain_background_work(sample.input());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(name_of(findings[0].code), "background-work");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("+10.0 ms per step"));
  EXPECT_THAT(findings[0].message, HasSubstr("in threads \"spinner\", \"idle\""));
}

/// The step takes 10 ms more, all of it in forward.
SampleCase slower_forward_beside(double background_ns) {
  SampleCase sample = with_background(0, background_ns, Status::regressed);
  sample.timed("forward_ns", Status::not_judged, 5e6, 15e6);
  return sample;
}

TEST(BackgroundWork, ComesBeforeTheBoundariesThatItSlowsDown) {
  const auto findings = diagnose(slower_forward_beside(9e6).input());
  ASSERT_THAT(findings, SizeIs(Ge(2U)));
  EXPECT_EQ(name_of(findings[0].code), "background-work");
  EXPECT_THAT(findings[0].also, ElementsAre("step_time_ns"));
  EXPECT_EQ(name_of(findings[1].code), "boundary-slower");
}

TEST(BackgroundWork, ComesBehindThemWhereItExplainsLessThanHalf) {
  const auto findings = diagnose(slower_forward_beside(2e6).input());
  ASSERT_THAT(findings, SizeIs(Ge(2U)));
  EXPECT_EQ(name_of(findings[0].code), "boundary-slower");
  EXPECT_EQ(name_of(findings[1].code), "background-work");
  EXPECT_THAT(findings[1].also, IsEmpty());
}

/// A loader that takes twice as long, in as many workers as are busy.
SampleCase with_slower_loader(double before, double now) {
  SampleCase sample = with_background(before, now, Status::regressed);
  sample.timed("loader_samples_per_s", Status::regressed, 600, 300);
  return sample;
}

TEST(BackgroundWork, IsANoteWhereTheLoaderTakesAsMuchLonger) {
  EXPECT_EQ(explain_background_work(with_slower_loader(7e6, 13e6).input())[0].severity, Severity::note);
  EXPECT_EQ(explain_background_work(with_slower_loader(28e6, 56e6).input())[0].severity, Severity::note)
      << "four workers";
  const auto findings = explain_background_work(with_slower_loader(10e6, 29e6).input());
  EXPECT_EQ(findings[0].severity, Severity::cause) << "a thread of 9 ms beside the loader";
}

TEST(BackgroundWork, IsSaidWhereItCostsNothing) {
  const auto findings = explain_background_work(with_background(0, 10e6).input());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("processes that it started"));
}

TEST(BackgroundWork, WhatBothBuildsDoIsNoNews) {
  EXPECT_THAT(explain_background_work(with_background(10e6, 11e6).input()), IsEmpty());
  EXPECT_THAT(explain_background_work(with_background(0, 0.4e6).input()), IsEmpty()) << "4 % of the step";
  EXPECT_THAT(explain_background_work(with_background(10e6, 0).input()), IsEmpty());
}

TEST(BackgroundWork, WithoutTimesTheNumericsPassTells) {
  SampleCase sample;
  sample.current.exact_background = {
      .cpu_ns = 21'000'000, .step_cpu_ns = 21'000'000, .steps = 21, .threads = {{"a", 9}}};
  JudgedComparison input = sample.input();
  EXPECT_THAT(explain_background_work(input), IsEmpty()) << "nobody knows what the base does";
  auto& paired = input.reference.emplace<PairedReference>();
  paired.exact_background = {.cpu_ns = 21'000, .step_cpu_ns = 21'000'000, .steps = 21};
  const auto findings = explain_background_work(input);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].message, HasSubstr("in thread \"a\""));
  paired.exact_background = sample.current.exact_background;
  EXPECT_THAT(explain_background_work(input), IsEmpty());
}

TEST(BackgroundWork, OneBusyPairIsNoChangeOfTheBuild) {
  SampleCase sample = with_background(1e6, 3e6);
  JudgedComparison input = sample.input();
  auto& paired = input.reference.emplace<PairedReference>();
  paired.pairs.emplace().timed[beside_the_step] = {{.base = 1e6, .head = 5e6}, {.base = 1e6, .head = 1e6}};
  EXPECT_THAT(explain_background_work(input), IsEmpty());
  paired.pairs->timed[beside_the_step] = {{.base = 1e6, .head = 3e6}, {.base = 1e6, .head = 3e6}};
  EXPECT_THAT(explain_background_work(input), SizeIs(1));
}

}  // namespace
}  // namespace stepgate
