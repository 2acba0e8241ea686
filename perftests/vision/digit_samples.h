// Handwritten digits as training samples: records on disk, and how each is varied.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "support/image_samples.h"
#include "support/record_file.h"

namespace stepgate {

inline constexpr std::int64_t digit_side = 8;  ///< pixels
inline constexpr std::int64_t digit_classes = 10;
inline constexpr std::int64_t digit_levels = 16;  ///< the brightest grey level; 0 is background

/// One image in 1/256 grey levels, row by row, and the digit that it shows.
struct Digit {
  std::array<std::int64_t, digit_side * digit_side> pixels{};
  std::int64_t label = 0;
};

/// From the UCI digits as scikit-learn packs them, one line of 64 grey levels and a label per image, to records of 65
/// bytes with the same numbers. Throws DataError naming the line that is anything else.
std::string digit_records(std::string_view csv);

/// Images ready to be read.
struct DigitData {
  std::shared_ptr<const RecordFile> records;
  std::string digest;  ///< of the files that they were made from: Workload::data_digest()
};

/// The images of `data_dir`, unpacked into a record file in `folder` where it is not there yet. Throws DataError.
DigitData open_digits(const std::filesystem::path& data_dir, const std::filesystem::path& folder);

/// An epoch shows every record `repeats` times, each time varied in another way.
class DigitSamples : public ImageSamples {
 public:
  DigitSamples(std::shared_ptr<const RecordFile> records, std::int64_t repeats, std::uint64_t seed);

  std::int64_t count() const override;
  ImageShape shape() const override { return {1, digit_side, digit_side}; }
  std::int64_t load(const SampleKey& key, std::span<float> pixels) const override;

 protected:
  /// One record from the disk.
  virtual Digit read(std::int64_t record) const;
  /// A turn of up to 10 degrees about the centre with a shift of up to one pixel, noise of up to one grey level, and in
  /// one image of four a blank patch of 2 x 2 pixels. Integers only.
  virtual void augment(const SampleDraws& draws, Digit& digit) const;

 private:
  std::shared_ptr<const RecordFile> records_;
  std::int64_t repeats_;
  std::uint64_t seed_;
};

}  // namespace stepgate
