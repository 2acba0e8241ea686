#include "vision/photo_samples.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "perftests/data_folder.h"
#include "perftests/sample_photos.h"
#include "support/data_files.h"

namespace stepgate {
namespace {

/// The result of crop_of() alone.
class Crops : public PhotoSamples {
 public:
  Crops() : PhotoSamples(painted_photos(), {.crops = 100, .side = 8}, 1) {}
  Crop of(std::int64_t index, std::int64_t quadrant) const {
    return crop_of(SampleDraws(1, {0, index}), {.width = 640, .height = 427, .pixels = {}}, quadrant);
  }
};

std::vector<float> pixels_of(const ImageSamples& samples, SampleKey key) {
  std::vector<float> pixels(static_cast<std::size_t>(samples.shape().numel()));
  samples.load(key, pixels);
  return pixels;
}

double mean_of(const std::vector<float>& pixels, std::size_t plane, std::size_t colour) {
  double sum = 0;
  for (std::size_t i = 0; i < plane; ++i) sum += pixels[colour * plane + i];
  return sum / static_cast<double>(plane);
}

TEST(PhotoSamples, LabelsTellPhotographAndQuadrant) {
  const PhotoSamples samples(painted_photos(), {.crops = 100, .side = 8}, 1);
  std::vector<float> pixels(3 * 8 * 8);
  std::set<std::int64_t> labels;
  for (std::int64_t index = 0; index < 8; ++index) {
    const PhotoPlace place = photo_place(index, 2);
    EXPECT_EQ(place.photo, index % 2);
    EXPECT_EQ(samples.load({0, index}, pixels), place.label());
    labels.insert(place.label());
  }
  EXPECT_EQ(labels, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(photo_place(8, 2).label(), photo_place(0, 2).label());
}

TEST(PhotoSamples, ShowWhatTheirLabelSays) {
  const PhotoSamples samples(painted_photos(), {.crops = 100, .side = 8}, 1);
  for (std::int64_t index = 0; index < 64; ++index) {
    const PhotoPlace place = photo_place(index, 2);
    const auto pixels = pixels_of(samples, {0, index});
    // Red distinguishes left and right, green upper and lower, blue the two photographs (sample_photos.h). A value of
    // 115 of 255 is close to zero after normalisation.
    EXPECT_EQ(mean_of(pixels, 64, 0) > 0, place.quadrant % 2 == 1) << index;
    EXPECT_EQ(mean_of(pixels, 64, 1) > 0, place.quadrant / 2 == 1) << index;
    EXPECT_EQ(mean_of(pixels, 64, 2) > 0, place.photo == 1) << index;
  }
}

TEST(PhotoSamples, DependOnSeedEpochAndIndexOnly) {
  const auto photos = painted_photos();
  const PhotoSamples samples(photos, {.crops = 100, .side = 8}, 1);
  const auto first = pixels_of(samples, {1, 7});
  static_cast<void>(pixels_of(samples, {3, 3}));
  EXPECT_EQ(pixels_of(samples, {1, 7}), first);
  EXPECT_EQ(pixels_of(PhotoSamples(photos, {.crops = 100, .side = 8}, 1), {1, 7}), first);
  EXPECT_NE(pixels_of(samples, {2, 7}), first);
  EXPECT_NE(pixels_of(PhotoSamples(photos, {.crops = 100, .side = 8}, 2), {1, 7}), first);
}

TEST(PhotoSamples, CropsVaryWithinTheirQuadrant) {
  const Crops crops;
  int mirrored = 0;
  std::set<std::int64_t> lefts;
  std::set<std::int64_t> heights;
  for (std::int64_t index = 0; index < 400; ++index) {
    const std::int64_t quadrant = index % 4;
    const Crop crop = crops.of(index, quadrant);
    EXPECT_GE(crop.left, quadrant % 2 * 320);
    EXPECT_LE(crop.left + crop.width, quadrant % 2 * 320 + 320);
    EXPECT_GE(crop.top, quadrant / 2 * 213);
    EXPECT_LE(crop.top + crop.height, quadrant / 2 * 213 + 213);
    EXPECT_GE(crop.height, 96);
    const double aspect = static_cast<double>(crop.width) / static_cast<double>(crop.height);
    EXPECT_GT(aspect, 0.73);
    EXPECT_LT(aspect, 1.34);
    mirrored += crop.mirrored ? 1 : 0;
    lefts.insert(crop.left % 320);
    heights.insert(crop.height);
  }
  EXPECT_NEAR(mirrored, 200, 40);
  EXPECT_GT(lefts.size(), 100U);
  EXPECT_EQ(*heights.begin(), 96);
  EXPECT_EQ(*heights.rbegin(), 213);
}

TEST(PhotoSamples, APhotographOfOnePixelStillHasCrops) {
  PhotoFiles files;
  files.jpegs = {as_jpeg({.width = 2, .height = 2, .pixels = std::vector<std::uint8_t>(12, 200)})};
  const PhotoSamples samples(std::make_shared<const PhotoFiles>(files), {.crops = 4, .side = 4}, 1);
  for (std::int64_t index = 0; index < 20; ++index) EXPECT_EQ(pixels_of(samples, {0, index}).size(), 48U);
}

TEST(PhotoSamples, NeedAPhotograph) {
  EXPECT_THROW(PhotoSamples(nullptr, {}, 1), std::invalid_argument);
  EXPECT_THROW(PhotoSamples(std::make_shared<const PhotoFiles>(), {}, 1), std::invalid_argument);
  const DataFolder empty;
  EXPECT_THROW(load_photos(empty.path()), DataError);
}

#ifdef STEPGATE_TEST_DATA_DIR
TEST(PhotoSamples, TheTrainingDataIsTwoPhotographs) {
  const PhotoFiles files = load_photos(STEPGATE_TEST_DATA_DIR);
  ASSERT_EQ(files.jpegs.size(), 2U);
  EXPECT_EQ(files.digest, digest_of(listed_data_files_ending_with(".jpg")));
  EXPECT_EQ(decode_jpeg(files.jpegs[1]).width, 640);
}
#endif

}  // namespace
}  // namespace stepgate
