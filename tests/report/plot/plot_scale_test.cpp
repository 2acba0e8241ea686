#include "report/plot/plot_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(PlotScale, TicksAreRoundAndCoverTheData) {
  EXPECT_THAT(ticks_over({61, 134}).at, ElementsAre(60, 80, 100, 120, 140));
  EXPECT_THAT(ticks_over({0, 1}).at, ElementsAre(0, DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12),
                                                 DoubleNear(0.6, 1e-12), DoubleNear(0.8, 1e-12), 1));
  EXPECT_THAT(ticks_over({-3, 7}).at, ElementsAre(-4, -2, 0, 2, 4, 6, 8));
}

TEST(PlotScale, OneValueGetsRoomAroundIt) {
  for (const double value : {0.0, 5.0, -2.0, 1e9, 1e-9}) {
    const Ticks ticks = ticks_over({value, value});
    EXPECT_GE(ticks.at.size(), 3u) << value;
    EXPECT_LT(ticks.range.lower, value) << value;
    EXPECT_GT(ticks.range.upper, value) << value;
  }
}

TEST(PlotScale, ValuesLieBetweenTheEndsAndNeverBeyond) {
  const PixelScale scale{{10, 20}, 300, 100};
  EXPECT_EQ(scale.at(10), 300);
  EXPECT_EQ(scale.at(15), 200);
  EXPECT_EQ(scale.at(20), 100);
  EXPECT_EQ(scale.at(5), 300);
  EXPECT_EQ(scale.at(25), 100);
}

}  // namespace
}  // namespace stepgate
