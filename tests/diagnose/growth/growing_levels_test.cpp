#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* heap_growth = "host_heap_growth_bytes_per_step";

SampleCase with_heap(const LevelGrowth& growth) {
  SampleCase sample;
  sample.portable.bytes[heap_growth] = {0};
  sample.current.bytes[heap_growth] = {0, 0};
  sample.current.growth[heap_growth] = {growth, growth};
  return sample;
}

constexpr LevelGrowth steady_heap{.per_step = 12'000, .noise = 250, .steps = 11, .rises = 11, .in_every_step = true};
constexpr LevelGrowth once_risen{.per_step = 56, .noise = 45, .steps = 11, .rises = 2, .one_off = 1'048'576};

TEST(GrowingLevels, GrowthInEachStepBelowTheFloorIsANote) {
  const auto findings = explain_growing_levels(with_heap(steady_heap).input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "grows-with-steps");
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].message, HasSubstr("host heap growth, +11.7 KiB with each in every process; below 16.0 KiB"));
}

TEST(GrowingLevels, AnUnchangedHeapIsNoNote) {
  EXPECT_THAT(explain_growing_levels(with_heap({.per_step = 319, .noise = 336, .steps = 11}).input()), IsEmpty());
  EXPECT_THAT(explain_growing_levels(with_heap({.per_step = 200, .steps = 11, .in_every_step = true}).input()),
              IsEmpty())
      << "within the resolution";
  SampleCase sample = with_heap(steady_heap);
  sample.current.growth[heap_growth].back().in_every_step = false;
  EXPECT_THAT(explain_growing_levels(sample.input()), IsEmpty()) << "not in every process";
}

TEST(GrowingLevels, WhatIsKnownOrJudgedIsNotSaidAgain) {
  SampleCase sample = with_heap(steady_heap);
  sample.portable.bytes[heap_growth] = {262'160};
  EXPECT_THAT(explain_growing_levels(sample.input()), IsEmpty());
  sample = with_heap(steady_heap);
  JudgedComparison input = sample.input();
  input.reference = EarlierMeasurement{.values = sample.current};
  EXPECT_THAT(explain_growing_levels(input), IsEmpty()) << "the difference was judged";
  sample.red(heap_growth);
  EXPECT_THAT(explain_growing_levels(sample.input()), IsEmpty());
}

TEST(GrowingLevels, OneRiseThatTheBaseDoesNotHaveAsksForMoreSteps) {
  const SampleCase sample = with_heap(once_risen);
  EXPECT_THAT(explain_growing_levels(sample.input()), IsEmpty()) << "the base may have it too";
  JudgedComparison input = sample.input();
  CaseValues base = sample.current;
  input.reference = PairedReference{.holds_exact = true, .interleaved = base};
  EXPECT_THAT(explain_growing_levels(input), IsEmpty());
  for (LevelGrowth& growth : base.growth[heap_growth]) growth.one_off = 3'376;
  input.reference = PairedReference{.holds_exact = true, .interleaved = base};
  const auto findings = explain_growing_levels(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("one rise of 1.00 MiB in the 12 counted steps"));
  EXPECT_THAT(findings[0].advice, HasSubstr("--steps memory=48"));
}

TEST(GrowingLevels, OneRiseThatWasFollowedSaysWhatCameAfterIt) {
  SampleCase sample = with_heap(once_risen);
  sample.current.bytes["host_heap_chunks_bytes_per_step"] = {0, 0};
  CaseValues base = sample.current;
  for (LevelGrowth& growth : base.growth[heap_growth]) growth.one_off = 3'376;
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.holds_exact = true, .interleaved = base};
  const auto findings = explain_growing_levels(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].advice, HasSubstr("three such rises did not come"));

  sample.current.bytes["host_heap_chunks_bytes_per_step"] = {65'536, 65'536};
  sample.red("host_heap_chunks_bytes_per_step");
  input = sample.input();
  input.reference = PairedReference{.holds_exact = true, .interleaved = base};
  EXPECT_THAT(explain_growing_levels(input), IsEmpty()) << "the rise is one of the chunks";
}

}  // namespace
}  // namespace stepgate
