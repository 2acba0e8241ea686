#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

ProcessLosses broken_process(std::int64_t step) {
  return {Group::timed, 0, {{"e2e", {.steps = 60, .seen = 60, .last_seen = 89, .breaks = {{"loss", {step, NAN}}}}}}};
}

TEST(LateBreaks, NameTheStepAndThePass) {
  SampleCase sample;
  sample.current.losses = {broken_process(34)};
  MetricVerdict& verdict = sample.red("loss");
  verdict.reason = ReasonCode::non_finite;
  verdict.detail = "nan in step 34, pass e2e of timed process 0 (isa avx2)";
  const auto findings = explain_late_breaks(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "non-finite");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("loss: nan in step 34, pass e2e of timed process 0"));
  EXPECT_THAT(findings[0].advice, HasSubstr("--steps numerics=35"));
  EXPECT_THAT(explain_numerics(sample.input()), IsEmpty()) << "one cause, not two";
}

TEST(LateBreaks, WhatTheBaseHasTooIsANote) {
  SampleCase sample;
  sample.current.losses = {broken_process(34)};
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.losses = {broken_process(36)}};
  const auto findings = explain_late_breaks(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].message, HasSubstr("in the base nan in step 36"));
}

TEST(LateBreaks, FiniteLossesNeedNoWord) {
  SampleCase sample;
  sample.current.losses = {{Group::timed, 0, {{"e2e", {.steps = 60, .seen = 60, .last_seen = 89}}}}};
  EXPECT_THAT(explain_late_breaks(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
