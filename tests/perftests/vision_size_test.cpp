#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "vision/digits_cnn_size.h"
#include "vision/photo_decode_size.h"

namespace stepgate {
namespace {

using testing::Key;
using testing::UnorderedElementsAre;

TEST(DigitsCnnSize, ParametersLeadBackToTheSizeTheyCameFrom) {
  const auto params = params_of(full_digits_cnn());
  EXPECT_EQ(params_of(with_params(tiny_digits_cnn(), params)), params);
  EXPECT_THAT(params, UnorderedElementsAre(Key("batch_size"), Key("loader_workers"), Key("prefetch_batches"),
                                           Key("pin"), Key("width"), Key("stages"), Key("blocks"), Key("repeats")));
}

TEST(PhotoDecodeSize, ParametersLeadBackToTheSizeTheyCameFrom) {
  const auto params = params_of(full_photo_decode());
  EXPECT_EQ(params_of(with_params(tiny_photo_decode(), params)), params);
  EXPECT_EQ(params.at("image"), "224");
  EXPECT_THAT(params,
              UnorderedElementsAre(Key("batch_size"), Key("loader_workers"), Key("prefetch_batches"), Key("pin"),
                                   Key("width"), Key("stages"), Key("blocks"), Key("image"), Key("crops")));
}

TEST(VisionSizes, OneParameterChangesOneThing) {
  const PhotoDecodeSize size = with_params(tiny_photo_decode(), {{"loader_workers", "0"}});
  EXPECT_EQ(size.loader.workers, 0);
  EXPECT_EQ(size.loader.batch_size, tiny_photo_decode().loader.batch_size);
  EXPECT_EQ(with_params(tiny_digits_cnn(), {{"width", "5"}}).net.width, 5);
}

TEST(VisionSizes, RefuseWhatTheyDoNotKnow) {
  EXPECT_THROW(with_params(tiny_digits_cnn(), {{"image", "8"}}), std::invalid_argument) << "digits have one size";
  EXPECT_THROW(with_params(tiny_photo_decode(), {{"repeats", "2"}}), std::invalid_argument);
  EXPECT_THROW(with_params(tiny_photo_decode(), {{"loader_workers", "-1"}}), std::invalid_argument);
  EXPECT_THROW(with_params(tiny_photo_decode(), {{"pin", "2"}}), std::invalid_argument);
  EXPECT_THROW(with_params(tiny_photo_decode(), {{"prefetch_batches", "0"}}), std::invalid_argument);
  EXPECT_THROW(with_params(tiny_digits_cnn(), {{"batch_size", "1"}}), std::invalid_argument);
}

TEST(VisionSizes, TinyDigitsLoadOnTheStepsThreadAndTinyPhotographsBesideIt) {
  EXPECT_EQ(tiny_digits_cnn().loader.workers, 0);
  EXPECT_EQ(tiny_photo_decode().loader.workers, 1);
}

}  // namespace
}  // namespace stepgate
