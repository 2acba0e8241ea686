#include "support/named_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate {
namespace {

using testing::HasSubstr;

const NamedChoice colour_choice{.workload = "mine", .name = "colour", .words = {"red", "green"}};

TEST(NamedChoice, GivesThePlaceOfTheWordAndTakesTheParameterAway) {
  std::map<std::string, std::string> params{{"colour", "green"}, {"width", "3"}};
  EXPECT_EQ(take_choice(colour_choice, params), 1U);
  EXPECT_EQ(params, (std::map<std::string, std::string>{{"width", "3"}}));
  EXPECT_EQ(take_choice(colour_choice, params), std::nullopt) << "not given";
}

TEST(NamedChoice, AnotherWordIsRefusedWithTheKnownOnes) {
  std::map<std::string, std::string> params{{"colour", "blue"}};
  try {
    take_choice(colour_choice, params);
    FAIL() << "blue was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("mine: parameter colour must be red or green, got \"blue\""));
  }
}

}  // namespace
}  // namespace stepgate
