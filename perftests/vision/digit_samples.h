// Handwritten digits as training samples: records on disk, and their augmentation.
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

/// Converts the UCI digits as scikit-learn packs them, one line of 64 grey levels and a label per image, to records of
/// 65 bytes with the same numbers. Throws DataError naming a line that has another form.
std::string digit_records(std::string_view csv);

/// Opened images.
struct DigitData {
  std::shared_ptr<const RecordFile> records;
  std::string digest;  ///< of their source files: Workload::data_digest()
};

/// The images of `data_dir`. Unpacks them into a record file in `folder` if that is missing. Throws DataError.
DigitData open_digits(const std::filesystem::path& data_dir, const std::filesystem::path& folder);

/// An epoch shows every record `repeats` times, each time with another augmentation.
class DigitSamples : public ImageSamples {
 public:
  DigitSamples(std::shared_ptr<const RecordFile> records, std::int64_t repeats, std::uint64_t seed);

  std::int64_t count() const override;
  ImageShape shape() const override { return {1, digit_side, digit_side}; }
  std::int64_t load(const SampleKey& key, std::span<float> pixels) const override;

 protected:
  /// One record from the disk.
  virtual Digit read(std::int64_t record) const;
  /// A rotation of up to 10 degrees about the centre with a shift of up to one pixel, noise of up to one grey level,
  /// and a blank patch of 2 x 2 pixels in one image of four. Integers only.
  virtual void augment(const SampleDraws& draws, Digit& digit) const;

 private:
  std::shared_ptr<const RecordFile> records_;
  std::int64_t repeats_;
  std::uint64_t seed_;
};

}  // namespace stepgate
