#include "emulator/hazards/vector_clock.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

TEST(VectorClock, CoversWhatIsOver) {
  VectorClock clock;
  EXPECT_FALSE(clock.covers({3, 1}));
  clock.add({3, 5});
  EXPECT_TRUE(clock.covers({3, 5}));
  EXPECT_FALSE(clock.covers({3, 6}));
  EXPECT_FALSE(clock.covers({4, 1}));
  clock.add({3, 2});
  EXPECT_EQ(clock.of(3), 5U);
}

TEST(VectorClock, MergesTheLaterOfEach) {
  VectorClock one;
  one.add({0, 4});
  VectorClock other;
  other.add({0, 2});
  other.add({7, 1});
  one.merge(other);
  EXPECT_EQ(one.of(0), 4U);
  EXPECT_EQ(one.of(7), 1U);
  EXPECT_EQ(other.of(0), 2U);
}

}  // namespace
}  // namespace stepgate::emulator
