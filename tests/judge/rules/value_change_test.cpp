#include "judge/rules/value_change.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

const Metric& time_metric() { return *find_metric("step_time_ns"); }
const Metric& rate_metric() { return *find_metric("loader_samples_per_s"); }

TEST(ValueChange, OfATimeIsHowMuchWorseItIs) {
  EXPECT_DOUBLE_EQ(value_change(time_metric(), 0.25), 0.25);
  EXPECT_DOUBLE_EQ(value_change(time_metric(), Interval{-0.1, 0.3}).upper, 0.3);
  EXPECT_EQ(limit_text(time_metric(), 0.01), "+1.0 %");
}

TEST(ValueChange, OfARateIsTheInverse) {
  EXPECT_DOUBLE_EQ(value_change(rate_metric(), 0.25), -0.2);
  EXPECT_DOUBLE_EQ(value_change(rate_metric(), 1), -0.5) << "half the rate is twice as bad, and not -100 %";
  const Interval bounds = value_change(rate_metric(), Interval{-0.2, 0.25});
  EXPECT_DOUBLE_EQ(bounds.lower, -0.2);
  EXPECT_DOUBLE_EQ(bounds.upper, 0.25);
  EXPECT_EQ(limit_text(rate_metric(), 0.25), "-20.0 %");
}

}  // namespace
}  // namespace stepgate
