#include "system/nearest_name.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

const std::vector<std::string_view> names = {"alpha", "beta", "margins", "metric_margins", "waivers"};

TEST(NearestName, FindsTheNameBehindATypo) {
  EXPECT_EQ(nearest_name("alpah", names), "alpha");
  EXPECT_EQ(nearest_name("waiver", names), "waivers");
  EXPECT_EQ(nearest_name("metrics_margin", names), "metric_margins");
  EXPECT_EQ(nearest_name("beta", names), "beta");
}

TEST(NearestName, TakesNoTimeOverAVeryLongName) {
  const std::string endless(20'000'000, 'x');
  EXPECT_EQ(nearest_name(endless, names), std::nullopt);
  EXPECT_EQ(nearest_name(endless, {endless}), std::nullopt);
}

TEST(NearestName, MakesNoFarGuess) {
  EXPECT_EQ(nearest_name("provenance", names), std::nullopt);
  EXPECT_EQ(nearest_name("x", {}), std::nullopt);
}

}  // namespace
}  // namespace stepgate
