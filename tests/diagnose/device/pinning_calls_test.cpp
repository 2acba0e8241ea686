#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/merge/extra_operator.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* allocations_by_driver = "device_allocations_per_step";

/// In the first of four steps the loader meets a length for the first time.
SampleCase pinning(const std::string& call) {
  SampleCase sample;
  sample.portable.exact[allocations_by_driver] = {0, 0, 0, 0};
  sample.current.counts.per_step[allocations_by_driver] = {2, 0, 0, 0};
  sample.current.counts.by_boundary[allocations_by_driver]["data_wait"] = 2;
  sample.portable.device_calls["kernels_per_step"]["forward"] = {{"cudaLaunchKernel", 4}};
  sample.current.counts.device_calls[allocations_by_driver]["data_wait"][call] = 2;
  sample.red(allocations_by_driver);
  return sample;
}

TEST(PinningCalls, AreTheCauseOfAllocationsInOneStep) {
  const auto causes = causes_of(pinning("cudaHostAlloc"));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "pinned-in-step");
  EXPECT_THAT(causes[0].message, HasSubstr("the driver pins new host memory: data_wait"));
  EXPECT_THAT(causes[0].message, HasSubstr("cudaHostAlloc"));
  EXPECT_EQ(causes[0].boundary, "data_wait");
  EXPECT_EQ(causes[0].message.find("with it"), std::string::npos) << "device allocations are what it tells of";
}

TEST(PinningCalls, AreNoneOfTheDevicesMemory) {
  SampleCase sample = pinning("cudaMalloc");
  EXPECT_THAT(explain_pinning_calls(sample.input()), IsEmpty());
  sample.current.counts.device_calls[allocations_by_driver]["data_wait"]["cudaHostAlloc"] = 1;
  EXPECT_THAT(explain_pinning_calls(sample.input()), IsEmpty()) << "only one of two calls pins";
}

TEST(PinningCalls, ThatTheMemoryPassCountedHaveItsFinding) {
  SampleCase sample = pinning("cudaHostAlloc");
  sample.red("pinned_allocations_per_step");
  EXPECT_THAT(explain_pinning_calls(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
