// A small convolution network learns to recognise parts of photographs. Guards a step that waits for its loader: JPEG
// decode, crop, flip and normalisation of real photographs take more than half of the time.
#pragma once

#include "vision/image_training.h"
#include "vision/photo_decode_size.h"
#include "vision/photo_samples.h"

namespace stepgate {

class PhotoDecode : public ImageTraining {
 public:
  /// Reads the compressed photographs of context.data_dir. Throws DataError.
  PhotoDecode(const CaseContext& context, const PhotoDecodeSize& size);
  /// The same with given photographs, at most size.net.classes / photo_quadrants of them.
  PhotoDecode(const CaseContext& context, const PhotoDecodeSize& size, std::shared_ptr<const PhotoFiles> files);

  std::string data_digest() const override { return files_->digest; }

 protected:
  std::shared_ptr<const ImageSamples> make_samples() const override;

  /// For a test with faulty samples.
  const std::shared_ptr<const PhotoFiles>& files() const { return files_; }
  const PhotoShape& photo_shape() const { return shape_; }

 private:
  std::shared_ptr<const PhotoFiles> files_;
  PhotoShape shape_;
};

/// Workload factories of the cases; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_photo_decode(const CaseContext& context);
std::unique_ptr<Workload> make_full_photo_decode(const CaseContext& context);
std::unique_ptr<Workload> make_gpu_small_photo_decode(const CaseContext& context);

}  // namespace stepgate
