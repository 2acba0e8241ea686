#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A log that keeps each loss with its graph: three steps of warm-up and the counted ones.
SampleCase log_of_losses() {
  SampleCase sample = trained_sample();
  sample.portable.counts_by_boundary["held_graphs_per_step"] = {{"forward", 4}};
  auto& counts = sample.current.counts;
  counts.per_step["held_graphs_per_step"] = {3, 4, 5, 6};
  counts.by_boundary["held_graphs_per_step"] = {{"forward", 4}, {"logging", 18}};
  sample.current.bytes["leak_bytes_per_step"] = {4};
  sample.red("leak_bytes_per_step");
  sample.red("held_graphs_per_step");
  return sample;
}

TEST(HeldGraphs, AreOneCauseWithTheMemoryThatGrows) {
  const auto causes = only_causes(diagnose(log_of_losses().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "graphs-held");
  EXPECT_EQ(causes[0].boundary, "logging");
  EXPECT_THAT(causes[0].message, HasSubstr("after the last counted step 6 graphs of past steps are still held"));
  EXPECT_THAT(causes[0].message, HasSubstr("each step leaves 4 B behind"));
}

TEST(HeldGraphs, ByALostDetachAreThatCause) {
  SampleCase sample = log_of_losses();
  inject(sample, "logging", {{"aten::detach", -1}});
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "detach-lost");
}

TEST(HeldGraphs, ThatWereHeldBeforeAreNoCause) {
  SampleCase sample = log_of_losses();
  sample.portable.counts_by_boundary["held_graphs_per_step"] =
      sample.current.counts.by_boundary["held_graphs_per_step"];
  EXPECT_THAT(explain_held_graphs(sample.input()), IsEmpty());
  SampleCase green = log_of_losses();
  green.verdict.metrics.clear();
  EXPECT_THAT(explain_held_graphs(green.input()), IsEmpty());
}

/// A running mean of an output: two nodes a step in the logging, and the host heap keeps what they reach.
SampleCase running_mean() {
  SampleCase sample = trained_sample();
  sample.portable.counts_by_boundary["autograd_nodes_per_step"] = {{"forward", 28}};
  sample.current.counts.by_boundary["autograd_nodes_per_step"] = {{"forward", 28}, {"logging", 8}};
  sample.current.counts.per_step["held_graphs_per_step"] = {0, 0, 0, 0};
  MetricVerdict& heap = sample.red("host_heap_growth_bytes_per_step");
  heap.baseline = 300;
  heap.current = 12'000;
  return sample;
}

TEST(HeldGraphs, OfARunningMeanAreNoPlainMemory) {
  const auto causes = only_causes(diagnose(running_mean().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "graphs-held");
  EXPECT_EQ(causes[0].boundary, "logging");
  EXPECT_THAT(causes[0].message, HasSubstr("logging: +2 autograd nodes a step are recorded that no backward runs"));
  EXPECT_THAT(causes[0].message, HasSubstr("host heap growth: about 11.7 KiB per step"));
  EXPECT_THAT(causes[0].advice, testing::Not(HasSubstr("no tensors")));
}

TEST(HeldGraphs, NeedNodesThatNoBackwardRuns) {
  SampleCase plain = running_mean();
  plain.current.counts.by_boundary["autograd_nodes_per_step"].erase("logging");
  EXPECT_THAT(explain_held_graphs(plain.input()), IsEmpty());
  SampleCase larger = running_mean();
  inject(larger, "backward", {{"aten::mul", 2}});
  EXPECT_THAT(explain_held_graphs(larger.input()), IsEmpty());
  SampleCase level = running_mean();
  level.verdict.metrics.clear();
  EXPECT_THAT(explain_held_graphs(level.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
