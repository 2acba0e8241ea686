#include "report/text/sparkline.h"

#include <gtest/gtest.h>

#include <limits>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

TEST(Sparkline, ShowsAJumpAfterTheBar) { EXPECT_EQ(sparkline({10, 10.1, 10}, {13, 13.1}), "▁▁▁│██"); }

TEST(Sparkline, NoiseBelowTheMatterMarginIsNoJump) { EXPECT_EQ(sparkline({100, 100.2, 100.1}, {100.3}), "▁▁▁│▁"); }

TEST(Sparkline, UsesEveryHeight) { EXPECT_EQ(sparkline({1, 2, 3, 4, 5, 6, 7, 8}, {}), "▁▂▃▄▅▆▇█"); }

TEST(Sparkline, NeedsThreeFiniteValues) {
  EXPECT_EQ(sparkline({1}, {2}), "");
  EXPECT_EQ(sparkline({1, std::numeric_limits<double>::quiet_NaN()}, {2}), "");
  EXPECT_EQ(sparkline({0, 0}, {0}), "▁▁│▁");
}

TEST(Sparkline, ShowsTheNewestOfMany) {
  std::vector<double> values(100, 1.0);
  values.back() = 9;
  const std::string text = sparkline(values, {1});
  EXPECT_EQ(columns(text), 42U);  // 40, the bar, 1
  EXPECT_NE(text.find("█│"), std::string::npos);
}

}  // namespace
}  // namespace stepgate
