#include "core/study/flop_peak.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

OperatorRow computed(const std::string& dtype, std::int64_t flops) {
  OperatorRow row;
  row.site.outputs = {{.sizes = {8}, .strides = {1}, .dtype = dtype}};
  row.site.flops = flops;
  return row;
}

Profile with_peaks(std::map<std::string, double> peaks) {
  Profile profile;
  profile.peaks.flops_per_s = std::move(peaks);
  return profile;
}

TEST(FlopPeak, IsThatOfTheDtypeWithMostFlops) {
  Profile profile = with_peaks({{"bfloat16", 400e9}, {"float32", 100e9}});
  profile.operators = {computed("float32", 10), computed("bfloat16", 60), computed("float32", 20)};
  ASSERT_TRUE(flop_peak(profile));
  EXPECT_EQ(flop_peak(profile)->dtype, "bfloat16");
  EXPECT_EQ(flop_peak(profile)->flops_per_s, 400e9);
  profile.operators.push_back(computed("float32", 40));
  EXPECT_EQ(flop_peak(profile)->dtype, "float32");
}

TEST(FlopPeak, IsThatOfFloat32WhereNothingElseIsKnown) {
  Profile profile = with_peaks({{"bfloat16", 400e9}, {"float32", 100e9}});
  EXPECT_EQ(flop_peak(profile)->dtype, "float32") << "no operator was observed";
  profile.operators = {computed("complex64", 10)};
  EXPECT_EQ(flop_peak(profile)->dtype, "float32") << "no peak of that dtype";
  profile.operators = {computed("int64", 0)};
  EXPECT_EQ(flop_peak(profile)->dtype, "float32") << "no FLOPs";
  profile.peaks.flops_per_s.erase("float32");
  EXPECT_EQ(flop_peak(profile)->dtype, "bfloat16");
}

TEST(FlopPeak, IsAbsentWithoutPeaks) { EXPECT_FALSE(flop_peak(with_peaks({}))); }

TEST(FlopPeak, OfACallIsDecidedByItsFirstResult) {
  OperatorSite site;
  EXPECT_EQ(compute_dtype(site), "");
  site.inputs = {{.sizes = {8}, .strides = {1}, .dtype = "float32"}};
  EXPECT_EQ(compute_dtype(site), "float32");
  site.outputs = {{.sizes = {8}, .strides = {1}, .dtype = "bfloat16"}};
  EXPECT_EQ(compute_dtype(site), "bfloat16");
}

}  // namespace
}  // namespace stepgate
