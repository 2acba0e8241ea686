#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/step_boundaries.h"
#include "diagnose/merge/extra_operator.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

MATCHER_P(Coded, code, "") { return name_of(arg.code) == code; }

constexpr const char* driver_allocations = "device_allocations_per_step";
constexpr const char* waits_for_device = "device_syncs_per_step";

/// `more` calls of the driver in each step.
void call_driver(SampleCase& sample, const std::string& metric, const std::string& boundary, const std::string& call,
                 std::int64_t more) {
  grow(sample, metric, boundary, more);
  sample.portable.device_calls["kernels_per_step"]["forward"] = {{"cudaLaunchKernel", 4}};
  sample.current.counts.device_calls[metric][boundary][call] += 4 * more;
}

SampleCase with_counter(const std::string& metric) {
  SampleCase sample;
  sample.current.exact[metric] = {{1, 1, 1, 1}};
  sample.red(metric);
  return sample;
}

TEST(MergeDeviceCauses, TheWaitsOfPageableCopiesBelongToThem) {
  SampleCase sample;
  grow(sample, "pageable_copies_per_step", "h2d", 2);
  grow(sample, "host_syncs_per_step", "h2d", 2);
  grow(sample, waits_for_device, "h2d", 2);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "pinning-lost");
  EXPECT_THAT(causes[0].message, HasSubstr("with it host syncs +2 in h2d, device syncs +2 in h2d"));
  EXPECT_THAT(causes[0].also, ElementsAre("host_syncs_per_step", waits_for_device));
}

TEST(MergeDeviceCauses, AWaitElsewhereIsNoneOfACopy) {
  SampleCase sample;
  grow(sample, "pageable_copies_per_step", "h2d", 2);
  grow(sample, waits_for_device, "h2d", 2);
  sample.current.counts.by_boundary[waits_for_device]["logging"] = 4;
  EXPECT_THAT(causes_of(sample), UnorderedElementsAre(Coded("pinning-lost"), Coded("work-added")));
}

TEST(MergeDeviceCauses, AWaitMoreThanCopiesIsAnotherFault) {
  SampleCase sample;
  grow(sample, "pageable_copies_per_step", "h2d", 2);
  grow(sample, "host_syncs_per_step", "h2d", 2);
  grow(sample, waits_for_device, "h2d", 3);
  EXPECT_THAT(causes_of(sample), UnorderedElementsAre(Coded("pinning-lost"), Coded("work-added")))
      << "a synchronize() beside the copies";
}

TEST(MergeDeviceCauses, AnEmptiedCacheIsFilledAgainByTheDriver) {
  SampleCase sample = with_counter("allocator_stream_syncs_per_step");
  call_driver(sample, driver_allocations, "forward", "cudaMalloc", 12);
  call_driver(sample, waits_for_device, "logging", "cudaFree", 12);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "allocator-waited");
  EXPECT_THAT(causes[0].also, ElementsAre(driver_allocations, waits_for_device));
}

TEST(MergeDeviceCauses, ASynchronizeIsNoneOfAnEmptiedCache) {
  SampleCase sample = with_counter("allocator_stream_syncs_per_step");
  call_driver(sample, waits_for_device, "logging", "cudaFree", 12);
  sample.current.counts.device_calls[waits_for_device]["logging"]["cudaDeviceSynchronize"] = 4;
  EXPECT_THAT(causes_of(sample), UnorderedElementsAre(Coded("allocator-waited"), Coded("work-added")));
}

TEST(MergeDeviceCauses, PageLockedMemoryIsTakenFromTheDriver) {
  SampleCase sample = with_counter("pinned_allocations_per_step");
  call_driver(sample, driver_allocations, "data_wait", "cudaHostAlloc", 2);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "pinned-in-step");
}

TEST(MergeDeviceCauses, ReservedMemoryThatGrowsHasItsPeakAndItsSegments) {
  SampleCase sample;
  sample.current.bytes["reserved_growth_bytes_per_step"] = {22 * 1048576};
  sample.red("reserved_growth_bytes_per_step");
  sample.portable.bytes["peak_reserved_bytes"] = {904 * 1048576};
  sample.current.bytes["peak_reserved_bytes"] = {1124 * 1048576};
  sample.red("peak_reserved_bytes");
  call_driver(sample, driver_allocations, "optimizer", "cudaMalloc", 2);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "reserved-grew");
  EXPECT_THAT(causes[0].also, ElementsAre(driver_allocations, "peak_reserved_bytes"));
}

TEST(MergeDeviceCauses, AStepThatIsRecordedAgainRunsByItself) {
  SampleCase sample = with_counter("allocator_stream_syncs_per_step");
  sample.portable.exact["graphs_after_warmup"] = {0, 0, 0, 0};
  sample.current.counts.per_step["graphs_after_warmup"] = {0, 1, 0, 0};
  sample.red("graphs_after_warmup");
  sample.portable.counts_by_boundary["own_kernels_per_step"][whole_step_name] = 0;
  grow(sample, "own_kernels_per_step", whole_step_name, 557);
  call_driver(sample, waits_for_device, "logging", "cudaDeviceSynchronize", 1);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(name_of(causes[0].code), "graphs-after-warmup");
  EXPECT_THAT(causes[0].also, ElementsAre("own_kernels_per_step", "allocator_stream_syncs_per_step"));
  EXPECT_EQ(name_of(causes[1].code), "work-added") << "a wait while logging is another fault";
}

}  // namespace
}  // namespace stepgate
