#include "core/stored/calibrated_sum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Calls = std::map<std::string, std::int64_t>;

constexpr const char* product = "aten::mm(float32[8, 64], float32[64, 4])";

/// Two steps with 20 own kernels and three library calls each.
struct CountedSide {
  std::map<std::string, std::vector<std::int64_t>> per_step = {{"own_kernels_per_step", {20, 20}},
                                                               {"library_calls_per_step", {3, 3}}};
  std::map<std::string, std::map<std::string, Calls>> device_calls = {
      {"library_calls_per_step",
       {{"forward", {{product, 2}, {"aten::conv(float32[2], None)", 2}}}, {"backward", {{product, 2}}}}}};

  CalibratedSum sum(const LibraryCalibration& calibration) const {
    return calibrated_sum(calibration, {per_step, device_calls});
  }
};

LibraryCalibration split_product() {
  return {.source = "h100.json",
          .gpu = "NVIDIA H100 80GB HBM3",
          .cuda_runtime = "12.4",
          .cuda_driver = "",
          .calls = {{product, {.calls = 5, .kernels = {2, 2}, .memsets = {0, 1}}},
                    {"aten::conv(float32[2])", {.calls = 1, .kernels = {3, 3}, .memsets = {0, 0}}}},
          .left_out = {}};
}

TEST(CalibratedSum, HasOwnKernelsAndThoseOfEachLibraryCall) {
  const CalibratedSum sum = CountedSide().sum(split_product());
  EXPECT_TRUE(sum.is_complete());
  EXPECT_EQ(sum.kernels, 40 + 4 * 2 + 2 * 3) << "in any boundary; None is no part of the name";
  EXPECT_EQ(sum.kernels_per_step(), 27);
  EXPECT_EQ(sum.memsets_per_step(), 2) << "at most";
}

TEST(CalibratedSum, NamesCallsWithoutARow) {
  LibraryCalibration calibration = split_product();
  calibration.calls.erase(product);
  const CalibratedSum sum = CountedSide().sum(calibration);
  EXPECT_FALSE(sum.is_complete());
  EXPECT_THAT(sum.missing, ElementsAre(product)) << "once";
}

TEST(CalibratedSum, DoesNotUseARowOfDifferentNumbers) {
  LibraryCalibration calibration = split_product();
  calibration.calls[product].kernels = {1, 2};
  const CalibratedSum sum = CountedSide().sum(calibration);
  EXPECT_THAT(sum.missing, ElementsAre(HasSubstr("(equal calls started 1 to 2 kernels)")));
}

TEST(CalibratedSum, IsUnknownWhereASideDidNotCountApart) {
  CountedSide side;
  side.per_step.erase("own_kernels_per_step");
  EXPECT_THAT(side.sum(split_product()).unknown, HasSubstr("not counted apart"));
  side.per_step = {{"own_kernels_per_step", {}}, {"library_calls_per_step", {}}};
  EXPECT_FALSE(side.sum(split_product()).is_complete());
}

/// Names of other steps, or of other ranks, would give a wrong sum.
TEST(CalibratedSum, IsUnknownWhereNamesAreNotThoseOfTheSteps) {
  CountedSide side;
  side.per_step["library_calls_per_step"] = {3, 4};
  EXPECT_THAT(side.sum(split_product()).unknown, HasSubstr("do not add up"));
}

TEST(CalibratedSum, WithoutLibraryCallsIsThatOfOwnKernels) {
  CountedSide side;
  side.per_step["library_calls_per_step"] = {0, 0};
  side.device_calls.clear();
  const CalibratedSum sum = side.sum(split_product());
  EXPECT_TRUE(sum.is_complete());
  EXPECT_THAT(sum.missing, IsEmpty());
  EXPECT_EQ(sum.kernels_per_step(), 20);
}

TEST(CalibratedSum, NumbersOfADamagedFileDoNotOverflow) {
  CountedSide side;
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  side.per_step["library_calls_per_step"] = {largest, 0};
  side.device_calls = {{"library_calls_per_step", {{"forward", {{product, largest}}}}}};
  EXPECT_GT(side.sum(split_product()).kernels, 0);
}

TEST(CalibratedSum, ACalibrationIsNamedByFileGpuAndVersion) {
  LibraryCalibration calibration = split_product();
  EXPECT_EQ(name_of_calibration(calibration), "h100.json (NVIDIA H100 80GB HBM3, CUDA 12.4)");
  calibration.cuda_runtime.clear();
  EXPECT_EQ(name_of_calibration(calibration), "h100.json (NVIDIA H100 80GB HBM3)");
}

}  // namespace
}  // namespace stepgate
