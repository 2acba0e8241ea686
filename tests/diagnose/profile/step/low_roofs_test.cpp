#include "diagnose/profile/step/low_roofs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LowRoofs, NoneIsTooLowAsLongAsNoOperatorIsFaster) {
  EXPECT_THAT(profile_case(SampleProfileInput()).low_roofs, IsEmpty());
}

/// 3 MFLOP in 4 ms, and 1 MB in 2 ms.
TEST(LowRoofs, ASlowPeakIsNamedWithTheOperatorThatExceedsIt) {
  SampleProfileInput input;
  input.run().peaks.flops_per_s["float32"] = 0.75e9 / 1.04;
  EXPECT_THAT(profile_case(input).low_roofs, IsEmpty()) << "the noise of two measurements";
  input.run().peaks.flops_per_s["float32"] = 0.75e9 / 1.18;
  EXPECT_THAT(profile_case(input).low_roofs,
              ElementsAre("the measured float32 peak is too low: aten::mm at net.cpp:12 reaches 118.0 % of it"));
  input.run().peaks.bandwidth[0].bytes_per_s = 0.25e9;
  EXPECT_THAT(profile_case(input).low_roofs,
              ElementsAre("the measured bandwidth is too low: aten::add in backward reaches 200.0 % of it",
                          "the measured float32 peak is too low: aten::mm at net.cpp:12 reaches 118.0 % of it"));
}

}  // namespace
}  // namespace stepgate
