#include "core/stored/varying_metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(VaryingMetric, PatternsHaveStarsAndQuestionMarks) {
  for (const char* pattern : {"gan/dcgan/tiny", "*", "gan/*", "*/tiny", "gan/*/tin?", "g*n*y", "gan/dcgan/tiny*", "**"})
    EXPECT_TRUE(matches_pattern(pattern, "gan/dcgan/tiny")) << pattern;
  for (const char* pattern : {"", "gan", "gan/*/big", "?", "gan/dcgan/tiny?", "*x*", "an/*"})
    EXPECT_FALSE(matches_pattern(pattern, "gan/dcgan/tiny")) << pattern;
  EXPECT_TRUE(matches_pattern("*", ""));
}

TEST(VaryingMetric, NamesTheMetricsOfMatchingCases) {
  const std::vector<VaryingMetrics> entries = {{"gan/*", {"loss", "grad_norm"}, "two threads add"},
                                               {"*", {"peak_*"}, "caches"}};
  EXPECT_THAT(varying_metrics(entries, "gan/dcgan/tiny"),
              ElementsAre("grad_norm", "loss", "peak_allocated_bytes", "peak_pinned_bytes", "peak_reserved_bytes"));
  EXPECT_THAT(varying_metrics(entries, "vision/mlp/tiny"),
              ElementsAre("peak_allocated_bytes", "peak_pinned_bytes", "peak_reserved_bytes"));
  EXPECT_THAT(varying_metrics({}, "gan/dcgan/tiny"), IsEmpty());
  EXPECT_EQ(reason_to_vary(entries, "gan/dcgan/tiny", "loss"), "two threads add");
  EXPECT_EQ(reason_to_vary(entries, "vision/mlp/tiny", "loss"), "");
}

TEST(VaryingMetric, AFurtherLossIsNamedAloneOrWithItsFamily) {
  const auto one = varying_metrics({{"*", {"loss[critic]"}, "x"}}, "a/b");
  EXPECT_TRUE(varies(one, "loss[critic]"));
  EXPECT_FALSE(varies(one, "loss[actor]"));
  EXPECT_FALSE(varies(one, "loss"));
  for (const char* pattern : {"loss[*]", "loss*", "*"}) {
    EXPECT_TRUE(varies(varying_metrics({{"*", {pattern}, "x"}}, "a/b"), "loss[actor]")) << pattern;
  }
  EXPECT_FALSE(varies(varying_metrics({{"*", {"loss"}, "x"}}, "a/b"), "loss[actor]"));
}

TEST(VaryingMetric, TimesAndTheFinalLossAreNotAmongThem) {
  const auto all = varying_metrics({{"*", {"*"}, "x"}}, "a/b");
  EXPECT_THAT(all, Contains("operators_per_step"));
  EXPECT_THAT(all, Contains("leak_bytes_per_step"));
  for (const char* other : {"step_time_ns", "final_loss", "minor_faults_per_step"})
    EXPECT_THAT(all, Not(Contains(other)));
}

}  // namespace
}  // namespace stepgate
