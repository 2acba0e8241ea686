// The interface for loader workers: one labelled picture per call.
#pragma once

#include <cstdint>
#include <span>

#include "support/sample_draws.h"

namespace stepgate {

struct ImageShape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;

  std::int64_t numel() const { return channels * height * width; }
};

/// The samples of a training set. Many threads call it at once, so implementations must not change their own state; a
/// sample depends on (seed, epoch, index) only. Implementations must not use LibTorch operators: the first one on a
/// worker thread would start more threads.
class ImageSamples {
 public:
  virtual ~ImageSamples() = default;

  /// Samples of one epoch.
  virtual std::int64_t count() const = 0;
  virtual ImageShape shape() const = 0;

  /// Writes the normalised pixels of one sample, channel by channel, and returns its label.
  virtual std::int64_t load(const SampleKey& key, std::span<float> pixels) const = 0;

 protected:
  ImageSamples() = default;
  ImageSamples(const ImageSamples&) = default;
  ImageSamples& operator=(const ImageSamples&) = default;
};

}  // namespace stepgate
