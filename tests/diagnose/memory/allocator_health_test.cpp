#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SampleCase with(const std::string& metric, std::vector<std::int64_t> steps) {
  SampleCase sample;
  sample.current.exact[metric] = {{0, 0, 0, 0}, std::move(steps)};
  return sample;
}

TEST(AllocatorHealth, ARetryIsNamedWithWhatTheAllocatorDidAndWhereTheMemoryIs) {
  SampleCase sample = with("allocator_retries_per_step", {3, 3, 3, 3});
  sample.current.exact["allocator_stream_syncs_per_step"] = sample.current.exact["allocator_retries_per_step"];
  sample.current.bytes["peak_reserved_bytes"] = {8 * std::int64_t{1073741824}};
  sample.current.bytes["outside_allocator_bytes"] = {512 * 1048576};
  const auto findings = explain_allocator_health(sample.input());

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "allocator-retried");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("ran out of device memory 3 times per step (12 in 4 steps): it waited"));
  EXPECT_THAT(findings[0].message, HasSubstr("8.00 GiB were reserved at the peak, 512.0 MiB of the device are in use"));
  EXPECT_THAT(findings[0].also, testing::ElementsAre("allocator_stream_syncs_per_step"));
}

TEST(AllocatorHealth, ARetryIsTheCauseWhereItsCountIsRed) {
  SampleCase sample = with("allocator_retries_per_step", {0, 1, 0, 0});
  sample.red("allocator_retries_per_step");
  EXPECT_EQ(explain_allocator_health(sample.input())[0].severity, Severity::cause);
}

TEST(AllocatorHealth, AWaitWithoutARetryIsAnEmptiedCache) {
  const auto findings = explain_allocator_health(with("allocator_stream_syncs_per_step", {1, 1, 1, 1}).input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "allocator-waited");
  EXPECT_THAT(findings[0].advice, HasSubstr("emptyCache"));
}

TEST(AllocatorHealth, AFailedAllocationAndPinnedMemoryAreToldApart) {
  SampleCase sample = with("ooms_per_step", {0, 0, 0, 1});
  sample.current.exact["pinned_allocations_per_step"] = {{1, 1, 1, 1}};
  const auto findings = explain_allocator_health(sample.input());
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(name_of(findings[0].code), "allocation-failed");
  EXPECT_THAT(findings[0].message, HasSubstr("0.25 times per step (1 in 4 steps)"));
  EXPECT_EQ(name_of(findings[1].code), "pinned-in-step");
  EXPECT_EQ(findings[1].severity, Severity::note);
}

TEST(AllocatorHealth, IsSilentWhereNothingHappenedAndWhereNothingWasCounted) {
  EXPECT_THAT(explain_allocator_health(with("allocator_retries_per_step", {0, 0, 0, 0}).input()), IsEmpty());
  EXPECT_THAT(explain_allocator_health(SampleCase().input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
