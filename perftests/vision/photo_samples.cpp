#include "vision/photo_samples.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "support/data_files.h"

namespace stepgate {
namespace {

/// The purposes of the numbers drawn for a sample.
enum PhotoPurpose : std::uint64_t { height, aspect, left, top, mirrored };

/// The normalised value (distance from the mean in deviations) of each of the 256 colour values.
using Levels = std::array<float, 256>;

constexpr Levels normalised(double mean, double deviation) {
  Levels levels{};
  for (std::size_t value = 0; value < levels.size(); ++value) {
    levels[value] = static_cast<float>((static_cast<double>(value) / 255.0 - mean) / deviation);
  }
  return levels;
}

// Mean and deviation of red, green and blue over ImageNet's training set, which pre-trained models expect.
constexpr std::array<Levels, 3> colour_levels = {normalised(0.485, 0.229), normalised(0.456, 0.224),
                                                 normalised(0.406, 0.225)};

}  // namespace

PhotoFiles load_photos(const std::filesystem::path& data_dir) {
  const std::vector<DataFile> listed = listed_data_files_ending_with(".jpg");
  PhotoFiles files;
  for (const DataFile& file : listed) files.jpegs.push_back(read_data_file(data_dir, file));
  files.digest = digest_of(listed);
  return files;
}

PhotoPlace photo_place(std::int64_t index, std::int64_t photos) {
  return {.photo = index % photos, .quadrant = index / photos % photo_quadrants};
}

PhotoSamples::PhotoSamples(std::shared_ptr<const PhotoFiles> files, const PhotoShape& shape, std::uint64_t seed)
    : files_(std::move(files)), shape_(shape), seed_(seed) {
  if (!files_ || files_->jpegs.empty()) throw std::invalid_argument("photo samples need at least one photograph");
}

RgbImage PhotoSamples::decode(std::int64_t photo) const {
  return decode_jpeg(files_->jpegs[static_cast<std::size_t>(photo)]);
}

Crop PhotoSamples::crop_of(const SampleDraws& draws, const RgbImage& image, std::int64_t quadrant) const {
  const std::int64_t half_width = std::max<std::int64_t>(image.width / 2, 1);
  const std::int64_t half_height = std::max<std::int64_t>(image.height / 2, 1);
  Crop crop;
  crop.height = draws.whole(height, (half_height * 45 + 99) / 100, half_height);
  crop.width = std::clamp<std::int64_t>(crop.height * draws.whole(aspect, 48, 85) / 64, 1, half_width);
  crop.left = quadrant % 2 * half_width + draws.whole(left, 0, half_width - crop.width);
  crop.top = quadrant / 2 * half_height + draws.whole(top, 0, half_height - crop.height);
  crop.mirrored = draws.whole(mirrored, 0, 1) == 1;
  return crop;
}

std::int64_t PhotoSamples::load(const SampleKey& key, std::span<float> pixels) const {
  const PhotoPlace place = photo_place(key.index, static_cast<std::int64_t>(files_->jpegs.size()));
  const RgbImage photo = decode(place.photo);
  const RgbImage sample = resample(photo, crop_of(SampleDraws(seed_, key), photo, place.quadrant), shape_.side);
  const std::size_t plane = sample.pixels.size() / 3;
  for (std::size_t i = 0; i < plane; ++i) {
    for (std::size_t colour = 0; colour < 3; ++colour) {
      pixels[colour * plane + i] = colour_levels[colour][sample.pixels[3 * i + colour]];
    }
  }
  return place.label();
}

}  // namespace stepgate
