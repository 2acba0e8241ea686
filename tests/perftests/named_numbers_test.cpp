#include "support/named_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate {
namespace {

using testing::HasSubstr;

struct Size {
  std::int64_t rows = 3;
  std::int64_t workers = 1;

  std::vector<NamedNumber> numbers() {
    return {{.name = "rows", .value = &rows}, {.name = "workers", .value = &workers, .least = 0, .most = 8}};
  }
};

std::string refusal(const std::string& name, const std::string& text) {
  Size size;
  try {
    set_params("mine", size.numbers(), {{name, text}});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(NamedNumbers, AreShownAndSetByName) {
  Size size;
  EXPECT_EQ(params_of(size.numbers()), (std::map<std::string, std::string>{{"rows", "3"}, {"workers", "1"}}));
  set_params("mine", size.numbers(), {{"workers", "0"}});
  EXPECT_EQ(size.workers, 0);
  EXPECT_EQ(size.rows, 3) << "what is not named stays";
}

TEST(NamedNumbers, AnUnknownNameIsRefusedWithTheKnownOnes) {
  EXPECT_EQ(refusal("row", "3"), "mine: no parameter is named row; known: rows, workers");
}

TEST(NamedNumbers, OnlyWholeNumbersWithinTheLimitsAreTaken) {
  EXPECT_EQ(refusal("workers", "9"), "mine: parameter workers must be a whole number from 0 to 8, got \"9\"");
  EXPECT_THAT(refusal("rows", "0"), HasSubstr("from 1 to"));
  for (const char* text : {"-1", "", " 2", "2x", "2.5", "0x2", "99999999999999999999"}) {
    EXPECT_THAT(refusal("workers", text), HasSubstr("must be a whole number")) << text;
  }
}

}  // namespace
}  // namespace stepgate
