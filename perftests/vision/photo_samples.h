// Parts of two real photographs as training samples; each sample decodes its JPEG anew.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/image_samples.h"
#include "support/resample.h"

namespace stepgate {

/// The compressed files, checked.
struct PhotoFiles {
  std::vector<std::string> jpegs;  ///< in the order of the list of data files
  std::string digest;              ///< of the files read: Workload::data_digest()
};

/// All listed photographs. Throws DataError.
PhotoFiles load_photos(const std::filesystem::path& data_dir);

inline constexpr std::int64_t photo_quadrants = 4;

/// The content of a sample: samples cycle through photographs and quadrants, and the label is their combination.
struct PhotoPlace {
  std::int64_t photo = 0;
  std::int64_t quadrant = 0;  ///< 0 upper left, 1 upper right, 2 lower left, 3 lower right

  std::int64_t label() const { return photo * photo_quadrants + quadrant; }
};
PhotoPlace photo_place(std::int64_t index, std::int64_t photos);

/// The crops of an epoch.
struct PhotoShape {
  std::int64_t crops = 2048;  ///< samples of an epoch
  std::int64_t side = 32;     ///< pixels of a sample
};

/// Three channels, `side` x `side` pixels.
class PhotoSamples : public ImageSamples {
 public:
  /// Throws std::invalid_argument without a photograph.
  PhotoSamples(std::shared_ptr<const PhotoFiles> files, const PhotoShape& shape, std::uint64_t seed);

  std::int64_t count() const override { return shape_.crops; }
  ImageShape shape() const override { return {3, shape_.side, shape_.side}; }
  std::int64_t load(const SampleKey& key, std::span<float> pixels) const override;

 protected:
  /// The whole photograph; this takes most of a sample's time.
  virtual RgbImage decode(std::int64_t photo) const;
  /// A random part of the quadrant: height from 45 %, aspect ratio from 3:4 to 4:3, random position, mirrored in half
  /// of the cases.
  virtual Crop crop_of(const SampleDraws& draws, const RgbImage& image, std::int64_t quadrant) const;

 private:
  std::shared_ptr<const PhotoFiles> files_;
  PhotoShape shape_;
  std::uint64_t seed_;
};

}  // namespace stepgate
