#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "diagnose/merge/extra_operator.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

MATCHER_P(HasCode, code, "") { return name_of(arg.code) == code; }

/// The extra operator was seen to touch so many bytes and to compute so many FLOPs in each step.
SampleCase observed_operator(std::int64_t bytes, std::int64_t flops) {
  SampleCase sample = extra_operator();
  OperatorSite site{.boundary = "forward", .name = "aten::log_softmax"};
  site.calls = 4;
  site.bytes = 4 * bytes;
  site.flops = 4 * flops;
  sample.current.counts.observed = ObservedWork{.steps = 4, .sites = {site}};
  return sample;
}

void grow_in_backward_too(SampleCase& sample, const std::string& metric, std::int64_t per_step) {
  grow(sample, metric, "forward", per_step);
  sample.current.counts.by_boundary[metric]["backward"] += 4 * per_step;
  for (std::int64_t& step : sample.current.counts.per_step[metric]) step += per_step;
}

TEST(MergeWork, WhatAnExtraOperatorComputesAndTouchesIsPartOfItInBackwardToo) {
  SampleCase sample = observed_operator(4096, 500);
  grow(sample, "flops_per_step", "forward", 500);
  grow_in_backward_too(sample, "bytes_touched_per_step", 4096);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("bytes touched +8 192 B"));
}

TEST(MergeWork, LargerTensorsBesideASmallNewOperatorAreACauseOfTheirOwn) {
  SampleCase sample = observed_operator(4096, 0);
  grow_in_backward_too(sample, "bytes_touched_per_step", 100 * 4096);
  EXPECT_THAT(causes_of(sample), UnorderedElementsAre(HasCode("operator-added"), HasCode("work-added")));
}

TEST(MergeWork, BackwardThatTakesMuchMoreThanForwardHasAnotherReason) {
  SampleCase sample = observed_operator(4096, 0);
  grow(sample, "bytes_touched_per_step", "forward", 4096);
  sample.current.counts.by_boundary["bytes_touched_per_step"]["backward"] += 4 * 100 * 4096;
  EXPECT_THAT(causes_of(sample), UnorderedElementsAre(HasCode("operator-added"), HasCode("work-added")));
}

}  // namespace
}  // namespace stepgate
