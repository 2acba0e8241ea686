// A convolution network with batch norm learns handwritten digits. Guards the parts of convolution training, with a
// loader that reads records from the disk and augments every image.
#pragma once

#include <filesystem>

#include "vision/digit_samples.h"
#include "vision/digits_cnn_size.h"
#include "vision/image_training.h"

namespace stepgate {

class DigitsCnn : public ImageTraining {
 public:
  /// Unpacks the images of context.data_dir into the cache if they are not there. Throws DataError.
  DigitsCnn(const CaseContext& context, const DigitsCnnSize& size);
  /// The same with opened images.
  DigitsCnn(const CaseContext& context, const DigitsCnnSize& size, DigitData data);

  std::string data_digest() const override { return data_.digest; }

 protected:
  std::shared_ptr<const ImageSamples> make_samples() const override;

  /// For a test with faulty samples.
  const std::shared_ptr<const RecordFile>& records() const { return data_.records; }
  std::int64_t repeats() const { return repeats_; }

 private:
  DigitData data_;
  std::int64_t repeats_;
};

/// Workload factories of the cases; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_digits_cnn(const CaseContext& context);
std::unique_ptr<Workload> make_full_digits_cnn(const CaseContext& context);
std::unique_ptr<Workload> make_gpu_small_digits_cnn(const CaseContext& context);

}  // namespace stepgate
