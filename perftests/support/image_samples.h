// What loader workers call: one labelled picture at a time.
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

/// The samples of a training set. Called from many threads at once, so implementations change nothing of their own;
/// what a sample is depends on (seed, epoch, index) only. Uses no LibTorch operator: a worker thread's first one would
/// start threads of its own.
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
