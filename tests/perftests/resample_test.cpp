#include "support/resample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace stepgate {
namespace {

using testing::ElementsAre;

/// Red is the column, green the row, blue 7.
RgbImage coordinates(std::int64_t width, std::int64_t height, int step = 1) {
  RgbImage image{.width = width, .height = height, .pixels = {}};
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (const std::int64_t value : {x * step, y * step, std::int64_t{7}}) {
        image.pixels.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  return image;
}

TEST(Resample, TheSameSizeIsTheSamePixels) {
  const RgbImage image = coordinates(5, 5, 9);
  EXPECT_EQ(resample(image, {0, 0, 5, 5, false}, 5).pixels, image.pixels);
}

TEST(Resample, CutsWhereItIsTold) {
  const RgbImage piece = resample(coordinates(40, 30), {.left = 11, .top = 5, .width = 2, .height = 2}, 2);
  EXPECT_THAT(piece.pixels, ElementsAre(11, 5, 7, 12, 5, 7, 11, 6, 7, 12, 6, 7));
}

TEST(Resample, MirrorsLeftToRightOnly) {
  const RgbImage piece = resample(coordinates(40, 30), {11, 5, 2, 2, true}, 2);
  EXPECT_THAT(piece.pixels, ElementsAre(12, 5, 7, 11, 5, 7, 12, 6, 7, 11, 6, 7));
}

TEST(Resample, HalvingAveragesPairs) {
  // Centres of output pixels lie half-way between two input pixels: (0 + 10) / 2, (20 + 30) / 2.
  const RgbImage small = resample(coordinates(4, 4, 10), {0, 0, 4, 4, false}, 2);
  EXPECT_THAT(small.pixels, ElementsAre(5, 5, 7, 25, 5, 7, 5, 25, 7, 25, 25, 7));
}

TEST(Resample, GrowingHoldsTheEdges) {
  // Centres at -1/4, 1/4, 3/4, 5/4 of two pixels 0 and 100: the outer two use the edge pixel.
  const RgbImage large = resample(coordinates(2, 2, 100), {0, 0, 2, 2, false}, 4);
  EXPECT_EQ(large.pixels[0], 0);
  EXPECT_EQ(large.pixels[3], 25);
  EXPECT_EQ(large.pixels[6], 75);
  EXPECT_EQ(large.pixels[9], 100);
}

TEST(Resample, AgreesWithTheFormulaInFloatingPoint) {
  const RgbImage image = coordinates(200, 150);
  const Crop crop{.left = 13, .top = 20, .width = 101, .height = 77};
  const RgbImage small = resample(image, crop, 32);
  for (std::int64_t y = 0; y < 32; ++y) {
    for (std::int64_t x = 0; x < 32; ++x) {
      const std::size_t at = static_cast<std::size_t>(3 * (y * 32 + x));
      EXPECT_NEAR(small.pixels[at], 13 + (x + 0.5) * 101 / 32 - 0.5, 0.502);
      EXPECT_NEAR(small.pixels[at + 1], 20 + (y + 0.5) * 77 / 32 - 0.5, 0.502);
    }
  }
}

TEST(Resample, RefusesWhatIsNotInTheImage) {
  const RgbImage image = coordinates(10, 8);
  EXPECT_NO_THROW(resample(image, {0, 0, 10, 8, false}, 3));
  EXPECT_THROW(resample(image, {1, 0, 10, 8, false}, 3), std::invalid_argument);
  EXPECT_THROW(resample(image, {0, 1, 10, 8, false}, 3), std::invalid_argument);
  EXPECT_THROW(resample(image, {-1, 0, 5, 5, false}, 3), std::invalid_argument);
  EXPECT_THROW(resample(image, {0, 0, 0, 5, false}, 3), std::invalid_argument);
  EXPECT_THROW(resample(image, {0, 0, 5, 5, false}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
