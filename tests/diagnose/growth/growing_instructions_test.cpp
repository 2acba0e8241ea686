#include "diagnose/growth/growing_instructions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A list that each step walks through and adds to: 20 000 instructions more with each, and little noise.
const StepSeries walked_list = {1'000'000, 1'020'050, 1'039'980, 1'060'010, 1'080'000, 1'100'020};
/// As of the tiny cases: 0.02 %.
const StepSeries same_code = {1'000'000, 1'000'150, 999'900, 1'000'020, 999'980, 1'000'100};

CaseValues processes_with(const std::vector<StepSeries>& instructions) {
  CaseValues values;
  for (const StepSeries& steps : instructions) values.exact_processes.emplace_back().instructions = steps;
  return values;
}

SampleCase sample_with(const std::vector<StepSeries>& instructions) {
  SampleCase sample;
  sample.current.exact_processes = processes_with(instructions).exact_processes;
  return sample;
}

JudgedComparison beside_base(const SampleCase& sample, const CaseValues& base) {
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.holds_exact = true, .interleaved = base};
  return input;
}

TEST(GrowingInstructions, ThatRiseInEachProcessAreANote) {
  const auto findings = explain_growing_counts(sample_with({walked_list, walked_list}).input());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_EQ(findings[0].metric, "host_instructions_per_step");
  EXPECT_EQ(findings[0].message,
            "grows with the number of the step: host instructions 1 000 000, 1 020 050, 1 039 980 ... 1 100 020 in the "
            "counted steps, +20 004 with each in the mean, and no count of operators or bytes does");
}

TEST(GrowingInstructions, NoiseIsNoGrowth) {
  EXPECT_THAT(explain_growing_counts(sample_with({same_code, same_code}).input()), IsEmpty());
  EXPECT_THAT(explain_growing_counts(sample_with({walked_list, same_code}).input()), IsEmpty());
  const StepSeries by_chance = {1'000'000, 1'000'100, 1'000'200, 1'000'300, 1'000'400, 1'000'500};
  EXPECT_THAT(explain_growing_counts(sample_with({by_chance, by_chance}).input()), IsEmpty()) << "within the margin";
  EXPECT_THAT(explain_growing_counts(sample_with({walked_list}).input()), IsEmpty()) << "one process";
  EXPECT_THAT(explain_growing_counts(sample_with({}).input()), IsEmpty());
  EXPECT_THAT(explain_growing_counts(sample_with({{0}, {0}}).input()), IsEmpty());
}

TEST(GrowingInstructions, WhatTheBaseGrowsByTooIsNotNew) {
  const SampleCase sample = sample_with({walked_list, walked_list});
  EXPECT_THAT(explain_growing_counts(beside_base(sample, processes_with({walked_list, walked_list}))), IsEmpty());
  EXPECT_THAT(explain_growing_counts(beside_base(sample, processes_with({same_code, same_code}))), SizeIs(1));
  EXPECT_THAT(explain_growing_counts(beside_base(sample, processes_with({{7}}))), SizeIs(1)) << "one step";
}

TEST(GrowingInstructions, BatchesOfUnequalSizeNeedABase) {
  SampleCase sample = sample_with({walked_list, walked_list});
  sample.current.counts.per_step["padded_tokens_per_step"] = {256, 512, 512, 384};
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
  EXPECT_THAT(explain_growing_counts(beside_base(sample, processes_with({same_code, same_code}))), SizeIs(1));
}

TEST(GrowingInstructions, AreSaidWithACountThatGrows) {
  SampleCase sample = sample_with({walked_list, walked_list});
  sample.portable.exact["operators_per_step"] = StepSeries(6, 20);
  sample.current.counts.per_step["operators_per_step"] = {23, 24, 25, 26, 27, 28};
  sample.current.exact["operators_per_step"] = {{23, 24, 25, 26, 27, 28}, {23, 24, 25, 26, 27, 28}};
  const auto findings = explain_growing_counts(sample.input());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].metric, "operators_per_step");
  EXPECT_THAT(findings[0].message, HasSubstr("operators 3, 4, 5"));
  EXPECT_THAT(findings[0].message, EndsWith("; host instructions too, +20 004"));
  EXPECT_THAT(findings[0].also, IsEmpty());
}

}  // namespace
}  // namespace stepgate
