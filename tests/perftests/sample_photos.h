// Photographs that need no download: four quadrants with different colours and a texture, as JPEG files.
#pragma once

#include <gtest/gtest.h>
#include <turbojpeg.h>

#include <memory>
#include <string>

#include "support/jpeg.h"
#include "vision/photo_samples.h"

namespace stepgate {

inline RgbImage painted_image(std::int64_t width, std::int64_t height, int shade) {
  RgbImage image{.width = width, .height = height, .pixels = {}};
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const bool right = x >= width / 2;
      const bool low = y >= height / 2;
      const auto texture = static_cast<int>((x * 7 + y * 13 + x * y) % 32);
      for (const int colour : {right ? 200 : 30, low ? 180 : 60, shade}) {
        image.pixels.push_back(static_cast<std::uint8_t>(colour + texture));
      }
    }
  }
  return image;
}

/// Chroma at half the resolution in both directions, as in cameras.
inline std::string as_jpeg(const RgbImage& image) {
  const std::unique_ptr<void, int (*)(void*)> compressor(tjInitCompress(), &tjDestroy);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(compressor.get(), image.pixels.data(), static_cast<int>(image.width), 0,
                        static_cast<int>(image.height), TJPF_RGB, &bytes, &size, TJSAMP_420, 90, TJFLAG_ACCURATEDCT),
            0);
  std::string jpeg(reinterpret_cast<const char*>(bytes), size);
  tjFree(bytes);
  return jpeg;
}

inline std::shared_ptr<const PhotoFiles> painted_photos() {
  PhotoFiles files;
  files.jpegs = {as_jpeg(painted_image(80, 60, 20)), as_jpeg(painted_image(72, 64, 220))};
  files.digest = "painted";
  return std::make_shared<const PhotoFiles>(std::move(files));
}

}  // namespace stepgate
