#include "emulator/cupti/cupti_call_filter.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

TEST(CuptiCallFilter, LetsNothingThroughAtFirst) {
  const CallFilter filter;
  EXPECT_FALSE(filter.lets_through(7));
  EXPECT_TRUE(filter.lets_nothing_through());
}

TEST(CuptiCallFilter, LetsOneThrough) {
  CallFilter filter;
  filter.set_one(7, true);
  EXPECT_TRUE(filter.lets_through(7));
  EXPECT_FALSE(filter.lets_through(8));
  EXPECT_FALSE(filter.lets_nothing_through());
}

TEST(CuptiCallFilter, LetsAllButOneThrough) {
  CallFilter filter;
  filter.set_all(true);
  filter.set_one(7, false);
  EXPECT_FALSE(filter.lets_through(7));
  EXPECT_TRUE(filter.lets_through(8));
}

TEST(CuptiCallFilter, TakesASingleOneBack) {
  CallFilter filter;
  filter.set_one(7, true);
  filter.set_one(7, false);
  EXPECT_TRUE(filter.lets_nothing_through());
}

TEST(CuptiCallFilter, TurningAllForgetsTheSingleOnes) {
  CallFilter filter;
  filter.set_all(true);
  filter.set_one(7, false);
  filter.set_all(true);
  EXPECT_TRUE(filter.lets_through(7));
  filter.set_one(8, false);
  filter.set_all(false);
  EXPECT_TRUE(filter.lets_nothing_through());
}

}  // namespace
}  // namespace stepgate::emulator
