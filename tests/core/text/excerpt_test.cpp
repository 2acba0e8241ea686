#include "core/text/excerpt.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(Excerpt, KeepsAShortTextAndCutsALongOne) {
  EXPECT_EQ(excerpt(""), "");
  EXPECT_EQ(excerpt(std::string(80, 'x')), std::string(80, 'x'));
  EXPECT_EQ(excerpt(std::string(81, 'x')), std::string(80, 'x') + "...");
  EXPECT_EQ(excerpt("abcdef", 3), "abc...");
}

TEST(Excerpt, NeverCutsACharacterInTwo) {
  EXPECT_EQ(excerpt("a\u00e9\u20acx", 2), "a\u00e9...");
  EXPECT_EQ(excerpt("a\u00e9\u20ac", 3), "a\u00e9\u20ac");
}

TEST(Excerpt, CutsBytesThatAreNoCharacters) { EXPECT_LE(excerpt(std::string(100'000, '\x80')).size(), 400U); }

}  // namespace
}  // namespace stepgate
