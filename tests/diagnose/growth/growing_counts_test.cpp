#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "diagnose/diagnose.h"
#include "diagnose/growth/growing_series.h"
#include "diagnose/observed_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Counts = std::vector<std::int64_t>;

constexpr const char* growing_metric = "operators_per_step";

void set_counts(SampleCase& sample, const std::string& metric, const Counts& before, const Counts& now) {
  sample.portable.exact[metric] = before;
  sample.current.counts.per_step[metric] = now;
  sample.current.exact[metric] = {now, now};
}

/// A hook that each step registers anew: its clone runs 3, 4, 5 ... 10 times in the eight counted steps.
SampleCase with_hook() {
  SampleCase sample;
  set_counts(sample, growing_metric, Counts(8, 20), {23, 24, 25, 26, 27, 28, 29, 30});
  set_counts(sample, "allocations_per_step", Counts(8, 6), {9, 10, 11, 12, 13, 14, 15, 16});
  sample.current.counts.operators["forward"]["aten::clone"] = 52;
  const ObservedCall clone{"forward", "aten::clone", {"keep", "model.cpp", 31}};
  observe(sample, clone, 13);
  sample.red(growing_metric);
  sample.red("allocations_per_step");
  return sample;
}

TEST(GrowingCounts, AHookThatEachStepRegistersGrowsWithTheSteps) {
  const auto findings = explain_growing_counts(with_hook().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "grows-with-steps");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message,
            "grows with the number of the step: operators 3, 4, 5 ... 10 more than before in the counted steps, +1 "
            "with each; in forward +52 aten::clone in 8 steps; likewise allocations +1");
  EXPECT_EQ(findings[0].boundary, "forward");
  EXPECT_THAT(findings[0].also, testing::ElementsAre("allocations_per_step"));
  ASSERT_EQ(findings[0].sources.size(), 1U);
  EXPECT_EQ(findings[0].sources[0].line, 31);
}

TEST(GrowingCounts, ItIsTheFirstCauseAndTakesTheOperators) {
  const auto causes = only_causes(diagnose(with_hook().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "grows-with-steps");
  EXPECT_THAT(causes[0].message, HasSubstr("3, 4, 5 ... 10"));
}

TEST(GrowingCounts, TheTotalOfInputShapesIsNoGrowth) {
  SampleCase sample;
  set_counts(sample, "shapes_seen", Counts(8, 1), {4, 5, 6, 7, 8, 9, 10, 11});
  set_counts(sample, "cold_shapes_after_warmup", Counts(8, 0), Counts(8, 1));
  sample.red("shapes_seen");
  sample.red("cold_shapes_after_warmup");
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "new-shape");
}

TEST(GrowingCounts, BytesOfTheLoaderGrowWhileItsCallsDoNot) {
  SampleCase sample;
  set_counts(sample, "loader_operators_per_batch", Counts(8, 4), Counts(8, 5));
  set_counts(sample, "loader_bytes_per_batch", Counts(8, 100), {612, 1124, 1636, 2148, 2660, 3172, 3684, 4196});
  sample.current.counts.operators["data_wait"]["aten::cat"] = 8;
  observe(sample, ObservedCall{"data_wait", "aten::cat", {"next_batch", "loader.cpp", 12}}, 1);
  sample.red("loader_operators_per_batch");
  sample.red("loader_bytes_per_batch");
  const auto findings = explain_growing_counts(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].boundary, "data_wait");
  EXPECT_THAT(findings[0].message, HasSubstr("; in data_wait +8 aten::cat in 8 steps"));
  ASSERT_EQ(findings[0].sources.size(), 1U);
  EXPECT_EQ(findings[0].sources[0].line, 12);
  sample.portable.exact.clear();
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty()) << "alone, the input may grow";
}

TEST(GrowingCounts, WhatEachStepDoesMoreIsNoGrowth) {
  SampleCase sample;
  set_counts(sample, growing_metric, Counts(8, 20), Counts(8, 27));
  sample.red(growing_metric);
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
}

TEST(GrowingCounts, WhatTheBaselineGrowsByTooIsNotNew) {
  const Counts grows = {23, 24, 25, 26, 27, 28, 29, 30};
  SampleCase sample;
  set_counts(sample, growing_metric, grows, grows);
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
  for (std::int64_t& value : sample.current.exact[growing_metric].front()) value += 4;
  sample.current.exact[growing_metric].back() = sample.current.exact[growing_metric].front();
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
}

TEST(GrowingCounts, BatchesOfUnequalLengthDoNotGrow) {
  // language/char_lm/tiny, without a baseline and against itself with one operator more in each step.
  const Counts operators = {1801, 1808, 1808, 1802, 1808, 1801, 1808, 1808};
  const Counts tokens = {256, 512, 512, 384, 512, 256, 512, 512};
  SampleCase sample;
  set_counts(sample, growing_metric, operators, operators);
  set_counts(sample, "padded_tokens_per_step", tokens, tokens);
  for (auto& process : sample.current.exact[growing_metric]) {
    for (std::int64_t& value : process) ++value;
  }
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
  sample.portable = {};
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
}

TEST(GrowingCounts, BatchesThatGetLongerExplainARise) {
  const Counts operators = {10, 12, 14, 16, 18, 20, 22, 24};
  const Counts tokens = {128, 160, 192, 224, 256, 288, 320, 352};
  SampleCase sample;
  set_counts(sample, growing_metric, Counts(8, 10), operators);
  set_counts(sample, "padded_tokens_per_step", tokens, tokens);
  sample.red(growing_metric);
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
}

TEST(GrowingCounts, AHookGrowsAmongBatchesOfUnequalLength) {
  const Counts before = {1801, 1808, 1808, 1802, 1808, 1801, 1808, 1808};
  Counts now = before;
  for (std::size_t step = 0; step < now.size(); ++step) now[step] += 3 + static_cast<std::int64_t>(step);
  const Counts tokens = {256, 512, 512, 384, 512, 256, 512, 512};
  SampleCase sample;
  set_counts(sample, growing_metric, before, now);
  set_counts(sample, "padded_tokens_per_step", tokens, tokens);
  sample.red(growing_metric);
  const auto findings = explain_growing_counts(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("operators 3, 4, 5 ... 10 more than before"));
}

TEST(GrowingCounts, WithNothingToCompareWithItIsANote) {
  SampleCase sample = with_hook();
  sample.portable = {};
  sample.verdict = {};
  const auto findings = explain_growing_counts(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].message, HasSubstr("operators 23, 24, 25 ... 30 in the counted steps"));
}

TEST(GrowingCounts, EveryProcessMustGrow) {
  SampleCase sample = with_hook();
  sample.current.exact[growing_metric][1] = Counts(8, 23);
  sample.current.exact["allocations_per_step"][1] = Counts(8, 9);
  EXPECT_THAT(explain_growing_counts(sample.input()), IsEmpty());
}

TEST(RisesWithSteps, ThreeRisesThatGoOnAndNoFall) {
  EXPECT_TRUE(rises_with_steps(Counts{3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_TRUE(rises_with_steps(Counts{3, 3, 4, 4, 5, 5, 6, 6}));
  EXPECT_FALSE(rises_with_steps(Counts{3, 4, 5, 6, 7, 8, 9, 8}));
  EXPECT_FALSE(rises_with_steps(Counts{3, 3, 3, 3, 9, 9, 9, 9})) << "once";
  EXPECT_FALSE(rises_with_steps(Counts{3, 4, 5, 6, 6, 6, 6, 6})) << "it came to an end";
  EXPECT_FALSE(rises_with_steps(Counts{3, 3, 3, 3}));
}

}  // namespace
}  // namespace stepgate
