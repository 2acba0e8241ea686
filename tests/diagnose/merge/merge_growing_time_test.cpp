#include "diagnose/merge/merge_growing_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace stepgate {
namespace {

using testing::HasSubstr;

Fault cause(FindingCode code, const std::string& metric, const std::string& boundary) {
  return fault_of({.code = code,
                   .severity = Severity::cause,
                   .message = std::string(name_of(code)) + " in " + boundary,
                   .advice = "",
                   .metric = metric,
                   .boundary = boundary});
}

TEST(MergeGrowingTime, TheLoaderAndItsBoundaryAreSlowerBecauseTheyGrow) {
  Faults faults = {cause(FindingCode::loader_slower, "loader_samples_per_s", ""),
                   cause(FindingCode::grows_with_steps, "step_time_ns", "data_wait"),
                   cause(FindingCode::boundary_slower, "step_time_ns", "data_wait")};
  merge_growing_time(faults);
  EXPECT_TRUE(faults[0].merged);
  EXPECT_FALSE(faults[1].merged);
  EXPECT_TRUE(faults[2].merged);
  EXPECT_THAT(written(faults[1]).message, HasSubstr("loader-slower in"));
}

TEST(MergeGrowingTime, OtherBoundariesStay) {
  Faults faults = {cause(FindingCode::loader_slower, "loader_samples_per_s", ""),
                   cause(FindingCode::grows_with_steps, "step_time_ns", "logging"),
                   cause(FindingCode::boundary_slower, "step_time_ns", "forward")};
  merge_growing_time(faults);
  EXPECT_FALSE(faults[0].merged);
  EXPECT_FALSE(faults[2].merged);
}

TEST(MergeGrowingTime, CountsThatGrowAreWhyTheTimeDoes) {
  Faults faults = {cause(FindingCode::grows_with_steps, "step_time_ns", "forward"),
                   cause(FindingCode::grows_with_steps, "operators_per_step", "forward")};
  merge_growing_time(faults);
  EXPECT_TRUE(faults[0].merged);
  EXPECT_THAT(written(faults[1]).message, HasSubstr("in forward; with it grows-with-steps in forward"));
}

TEST(MergeGrowingTime, CountsOfAnotherBoundaryAreAnotherGrowth) {
  Faults faults = {cause(FindingCode::grows_with_steps, "step_time_ns", "data_wait"),
                   cause(FindingCode::grows_with_steps, "operators_per_step", "forward")};
  merge_growing_time(faults);
  EXPECT_FALSE(faults[0].merged);
}

}  // namespace
}  // namespace stepgate
