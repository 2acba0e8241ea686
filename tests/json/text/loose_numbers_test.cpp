#include "json/text/loose_numbers.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(LooseNumbers, UnquotedNonFiniteNumbersBecomeNull) {
  EXPECT_EQ(without_bare_non_finite(R"({"a": NaN, "b": -NaN,"c": Infinity, "d": [-Infinity, 1], "e": inf})"),
            R"({"a":null, "b": null,"c": null    , "d": [null     , 1], "e":null})");
}

TEST(LooseNumbers, TextStaysAsItIs) {
  const std::string text = R"({"NaN": "Infinity \" NaN \\", "x": "-inf", "n": [true, null, 1e9]})";
  EXPECT_EQ(without_bare_non_finite(text), text);
}

TEST(LooseNumbers, TextAfterAnEscapedQuoteIsStillText) {
  EXPECT_EQ(without_bare_non_finite(R"(["\\", NaN, "\"NaN"])"), R"(["\\",null, "\"NaN"])");
}

TEST(LooseNumbers, ATruncatedTextIsNotReadBeyondItsEnd) {
  EXPECT_EQ(without_bare_non_finite("\"abc\\"), "\"abc\\");
  EXPECT_EQ(without_bare_non_finite("Na"), "Na");
  EXPECT_EQ(without_bare_non_finite(""), "");
}

}  // namespace
}  // namespace stepgate
