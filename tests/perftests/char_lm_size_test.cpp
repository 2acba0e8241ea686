#include "language/char_lm_size.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate {
namespace {

TEST(CharLmSize, ParametersLeadBackToTheSizeTheyCameFrom) {
  const auto params = params_of(full_char_lm());
  EXPECT_EQ(params_of(with_params(tiny_char_lm(), params)), params);
  EXPECT_EQ(params.at("width"), "768");
}

TEST(CharLmSize, OneParameterChangesOneThing) {
  const CharLmSize size = with_params(tiny_char_lm(), {{"batch_size", "3"}});
  EXPECT_EQ(size.batch.batch_size, 3);
  EXPECT_EQ(size.width, tiny_char_lm().width);
}

TEST(CharLmSize, RefusesWhatItDoesNotKnow) {
  const CharLmSize size = tiny_char_lm();
  EXPECT_THROW(with_params(size, {{"depth", "3"}}), std::invalid_argument);
  EXPECT_THROW(with_params(size, {{"layers", "0"}}), std::invalid_argument);
  EXPECT_THROW(with_params(size, {{"layers", "2x"}}), std::invalid_argument);
  EXPECT_THROW(with_params(size, {{"layers", ""}}), std::invalid_argument);
  EXPECT_THROW(with_params(size, {{"width", "66"}}), std::invalid_argument) << "no multiple of the heads";
}

}  // namespace
}  // namespace stepgate
