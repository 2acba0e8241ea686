#include "support/jpeg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "perftests/data_folder.h"
#include "perftests/sample_photos.h"
#include "support/data_files.h"

namespace stepgate {
namespace {

TEST(Jpeg, DecodesWhatWasEncodedUpToItsLosses) {
  const RgbImage painted = painted_image(80, 60, 20);
  const RgbImage decoded = decode_jpeg(as_jpeg(painted));
  ASSERT_EQ(decoded.width, 80);
  ASSERT_EQ(decoded.height, 60);
  ASSERT_EQ(decoded.pixels.size(), painted.pixels.size());
  std::int64_t difference = 0;
  for (std::size_t i = 0; i < painted.pixels.size(); ++i) difference += std::abs(decoded.pixels[i] - painted.pixels[i]);
  EXPECT_LT(difference, 12 * static_cast<std::int64_t>(painted.pixels.size()));
}

TEST(Jpeg, RefusesWhatIsNoWholeJpeg) {
  const std::string whole = as_jpeg(painted_image(80, 60, 20));
  EXPECT_THROW(decode_jpeg("no JPEG"), DataError);
  EXPECT_THROW(decode_jpeg(""), DataError);
  EXPECT_THROW(decode_jpeg(std::string_view(whole).substr(0, whole.size() / 2)), DataError)
      << "the library would only warn and fill the rest with grey";
}

/// SHA-256 of a file's pixels, decoded by a separate process with a variable set.
std::string digest_with(const std::string& variable, const std::string& file) {
  const std::string command = "env " + variable + " '" STEPGATE_PRINT_PIXELS "' '" + file + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), &pclose);
  std::string pixels;
  std::array<char, 1U << 16U> piece;
  for (std::size_t got = 1; output && got > 0; pixels.append(piece.data(), got)) {
    got = fread(piece.data(), 1, piece.size(), output.get());
  }
  return sha256_hex(pixels);
}

void expect_everywhere(const std::string& file, const std::string& expected) {
  for (const char* variable : {"NOTHING=1", "JSIMD_FORCENONE=1", "JSIMD_FORCESSE2=1", "JSIMD_FORCEAVX2=1"}) {
    EXPECT_EQ(digest_with(variable, file), expected) << variable;
  }
}

std::string digest_of_pixels(const RgbImage& image) {
  return sha256_hex({reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size()});
}

TEST(Jpeg, VectorInstructionsChangeNoByte) {
  const DataFolder folder;
  const std::string jpeg = as_jpeg(painted_image(333, 217, 20));
  folder.write("a.jpg", jpeg);
  expect_everywhere((folder.path() / "a.jpg").string(), digest_of_pixels(decode_jpeg(jpeg)));
}

#ifdef STEPGATE_TEST_DATA_DIR
TEST(Jpeg, RealPhotographsHaveTheSamePixelsEverywhere) {
  const std::string images = STEPGATE_TEST_DATA_DIR "/sklearn/datasets/images/";
  // The pixels of libjpeg-turbo 2.1.5. A library with other pixels would give other training data and other losses.
  expect_everywhere(images + "china.jpg", "e701459344fd69797154c91add3bb5d70e5ed1a61d8bed889bab3a796104698d");
  expect_everywhere(images + "flower.jpg", "3202904ed246795bf616c66d7859cd7c6080eff736c6e38dc5cc62779742033f");
}
#endif

}  // namespace
}  // namespace stepgate
