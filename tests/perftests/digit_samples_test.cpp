#include "vision/digit_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "perftests/data_folder.h"
#include "perftests/sample_digits.h"
#include "support/data_files.h"

namespace stepgate {
namespace {

using Pixels = std::array<float, 64>;

struct Loaded {
  Pixels pixels{};
  std::int64_t label = -1;

  bool operator==(const Loaded&) const = default;
};

Loaded loaded(const ImageSamples& samples, SampleKey key) {
  Loaded result;
  result.label = samples.load(key, result.pixels);
  return result;
}

/// The result of augment() alone.
class Augmentation : public DigitSamples {
 public:
  using DigitSamples::DigitSamples;
  Digit of(Digit digit, std::int64_t index) const {
    augment(SampleDraws(1, {0, index}), digit);
    return digit;
  }
};

Digit cross() {
  Digit digit;
  for (std::size_t i = 0; i < 8; ++i) digit.pixels[8 * i + 3] = digit.pixels[8 * 3 + i] = 16 * 256;
  return digit;
}

std::string refusal(const std::string& csv) {
  try {
    digit_records(csv);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DigitRecords, AreTheNumbersOfEachLine) {
  const std::string records = digit_records(painted_digits(12));
  ASSERT_EQ(records.size(), 12U * 65U);
  EXPECT_EQ(records[64], 0);
  EXPECT_EQ(records[65 + 64], 1);
  EXPECT_EQ(records[11 * 65 + 64], 1);
  EXPECT_EQ(records[0], 13);
  EXPECT_EQ(digit_records(painted_digits(2).substr(0, painted_digits(2).size() - 1)).size(), 2U * 65U)
      << "without a newline at the end";
}

TEST(DigitRecords, NameTheLineThatIsNoDigit) {
  const std::string good = painted_digits(1);
  const std::string head = good.substr(0, good.size() - 2);  // all but the label
  EXPECT_EQ(refusal(good), "accepted");
  for (const std::string& line : {std::string("1,2\n"), std::string("\n"), head + "\n", head + "10\n", head + "x\n",
                                  head + "1,2\n", "17" + good.substr(2), "-1" + good.substr(2)}) {
    EXPECT_THAT(refusal(good + line), testing::HasSubstr("line 2 is not")) << line;
  }
}

TEST(DigitSamples, DependOnSeedEpochAndIndexOnly) {
  const DataFolder folder;
  const DigitData data = painted_data(folder);
  const DigitSamples samples(data.records, 1, 5);
  const Loaded first = loaded(samples, {1, 7});
  static_cast<void>(loaded(samples, {3, 3}));
  EXPECT_EQ(loaded(samples, {1, 7}), first);
  EXPECT_EQ(loaded(DigitSamples(data.records, 1, 5), {1, 7}), first);
  EXPECT_NE(loaded(samples, {2, 7}).pixels, first.pixels) << "another epoch, another variation";
  EXPECT_NE(loaded(DigitSamples(data.records, 1, 6), {1, 7}).pixels, first.pixels);
  EXPECT_EQ(loaded(samples, {2, 7}).label, first.label);
}

TEST(DigitSamples, RepeatsShowEachImageInAnotherWay) {
  const DataFolder folder;
  const DigitData data = painted_data(folder);
  const DigitSamples samples(data.records, 3, 5);
  EXPECT_EQ(samples.count(), 600);
  EXPECT_EQ(loaded(samples, {0, 7}).label, loaded(samples, {0, 407}).label);
  EXPECT_NE(loaded(samples, {0, 7}).pixels, loaded(samples, {0, 407}).pixels);
}

TEST(DigitSamples, AnIndexIsARecord) {
  const DataFolder folder;
  const DigitSamples samples(painted_data(folder, 25).records, 2, 5);
  for (std::int64_t index = 0; index < 50; ++index) {
    EXPECT_EQ(loaded(samples, {0, index}).label, index % 25 % digit_classes);
  }
}

TEST(DigitSamples, TurnsAndShiftsAreSmall) {
  const DataFolder folder;
  const Augmentation samples(painted_data(folder).records, 1, 5);
  Digit lying;    // rows 3 and 4
  Digit upright;  // columns 3 and 4
  for (std::size_t i = 0; i < 8; ++i) {
    lying.pixels[24 + i] = lying.pixels[32 + i] = upright.pixels[8 * i + 3] = upright.pixels[8 * i + 4] = 16 * 256;
  }
  for (std::int64_t index = 0; index < 400; ++index) {
    const Digit rows = samples.of(lying, index);
    const Digit columns = samples.of(upright, index);
    // Row 0 reads at most 1 pixel of shift and 3.5 * 11 / 64 of rotation below itself, so never row 3. The rest is
    // noise.
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_LE(rows.pixels[i], 256) << index;
      EXPECT_LE(columns.pixels[8 * i], 256) << index;
    }
  }
}

TEST(DigitSamples, PixelsAreNormalised) {
  const DataFolder folder;
  const DigitSamples samples(painted_data(folder).records, 1, 5);
  for (std::int64_t index = 0; index < 50; ++index) {
    const Loaded sample = loaded(samples, {0, index});
    EXPECT_GE(*std::ranges::min_element(sample.pixels), (0 - 0.3053F) / 0.3760F - 1e-5F);
    EXPECT_LE(*std::ranges::max_element(sample.pixels), (1 - 0.3053F) / 0.3760F + 1e-5F);
  }
}

TEST(DigitSamples, AugmentationMovesAddsNoiseAndErases) {
  const DataFolder folder;
  const Augmentation samples(painted_data(folder).records, 1, 5);
  std::set<std::array<std::int64_t, 64>> seen;
  int without_background = 0;
  int erased = 0;
  for (std::int64_t index = 0; index < 400; ++index) {
    Digit bright;  // fully bright, so only a blank patch gives zeros in the middle
    bright.pixels.fill(16 * 256);
    const Digit varied = samples.of(bright, index);
    seen.insert(samples.of(cross(), index).pixels);
    int blank = 0;
    for (std::int64_t y = 2; y < 6; ++y) {
      for (std::int64_t x = 2; x < 6; ++x) blank += varied.pixels[static_cast<std::size_t>(8 * y + x)] == 0 ? 1 : 0;
    }
    erased += blank > 0 ? 1 : 0;
    without_background += varied.pixels[0] > 0 ? 1 : 0;
    for (const std::int64_t pixel : varied.pixels) {
      EXPECT_GE(pixel, 0);
      EXPECT_LE(pixel, 16 * 256);
    }
  }
  EXPECT_EQ(seen.size(), 400U) << "no two alike";
  EXPECT_NEAR(erased, 400.0 * 25 / 49 / 4, 30) << "a quarter, where the patch reaches the middle";
  EXPECT_GT(without_background, 100);
  EXPECT_LT(without_background, 399) << "shifts bring background in";
}

TEST(DigitSamples, AugmentationKeepsWhatADigitIs) {
  const DataFolder folder;
  const Augmentation samples(painted_data(folder).records, 1, 5);
  std::int64_t sum = 0;
  for (std::int64_t index = 0; index < 400; ++index) {
    for (const std::int64_t pixel : samples.of(cross(), index).pixels) sum += pixel;
  }
  std::int64_t original = 0;
  for (const std::int64_t pixel : cross().pixels) original += pixel;
  // Noise is cut off at black, which adds a fifth of a level per pixel; patches and edges reduce the mean.
  EXPECT_NEAR(static_cast<double>(sum) / 400.0, static_cast<double>(original), 0.1 * static_cast<double>(original));
}

#ifdef STEPGATE_TEST_DATA_DIR
TEST(DigitSamples, TheTrainingDataIsUnpackedOnce) {
  const DataFolder folder;
  const DigitData data = open_digits(STEPGATE_TEST_DATA_DIR, folder.path());
  EXPECT_EQ(data.records->count(), 1797);
  std::array<std::byte, 65> record{};
  data.records->read(0, record);
  EXPECT_EQ(std::to_integer<int>(record[2]), 5) << "the first line begins 0,0,5,13,9";
  EXPECT_EQ(std::to_integer<int>(record[4]), 9);
  EXPECT_EQ(std::to_integer<int>(record[64]), 0);
  const auto file = std::filesystem::directory_iterator(folder.path())->path();
  EXPECT_THAT(file.filename().string(), testing::HasSubstr(data.digest));
  const auto written = std::filesystem::last_write_time(file);
  EXPECT_EQ(open_digits(STEPGATE_TEST_DATA_DIR, folder.path()).records->count(), 1797);
  EXPECT_EQ(std::filesystem::last_write_time(file), written);
}
#endif

}  // namespace
}  // namespace stepgate
