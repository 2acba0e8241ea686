// Resamples a part of a photograph. Integers only, so that no compiler flag or CPU changes a bit of the data.
#pragma once

#include <cstdint>

#include "support/jpeg.h"

namespace stepgate {

/// A rectangle within an image, and whether it is mirrored left to right.
struct Crop {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  bool mirrored = false;

  bool operator==(const Crop&) const = default;
};

/// The crop as side x side pixels, bilinear between pixel centres (weights in 1/2048, rounded half up; no smoothing
/// when it shrinks). Throws std::invalid_argument for an empty crop or one that exceeds the image.
RgbImage resample(const RgbImage& image, const Crop& crop, std::int64_t side);

}  // namespace stepgate
