#include "core/text/switch_text.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(SwitchText, IsOnOrOffInAnyCase) {
  for (const char* on : {"1", "true", "yes", "on", "True", "ON"}) EXPECT_EQ(switch_in(on), true) << on;
  for (const char* off : {"0", "false", "no", "off", "", "FALSE", "Off"}) EXPECT_EQ(switch_in(off), false) << off;
}

TEST(SwitchText, IsNeitherForAnyOtherText) {
  for (const char* other : {"2", "maybe", " 1", "y", "woodpecker"}) EXPECT_EQ(switch_in(other), std::nullopt) << other;
}

}  // namespace
}  // namespace stepgate
