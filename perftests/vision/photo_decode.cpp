#include "vision/photo_decode.h"

namespace stepgate {
namespace {

/// A batch of `tiny` has only four samples: with a larger rate the loss follows their noise instead of falling.
constexpr double learning_rate = 0.02;

}  // namespace

PhotoDecode::PhotoDecode(const CaseContext& context, const PhotoDecodeSize& size)
    : PhotoDecode(context, size, std::make_shared<const PhotoFiles>(load_photos(context.data_dir))) {}

PhotoDecode::PhotoDecode(const CaseContext& context, const PhotoDecodeSize& size,
                         std::shared_ptr<const PhotoFiles> files)
    : ImageTraining(context, {.net = size.net, .loader = size.loader, .learning_rate = learning_rate}),
      files_(std::move(files)),
      shape_(size.photo) {}

std::shared_ptr<const ImageSamples> PhotoDecode::make_samples() const {
  return std::make_shared<const PhotoSamples>(files_, shape_, seed());
}

std::unique_ptr<Workload> make_tiny_photo_decode(const CaseContext& context) {
  return std::make_unique<PhotoDecode>(context, with_params(tiny_photo_decode(), context.params));
}

std::unique_ptr<Workload> make_full_photo_decode(const CaseContext& context) {
  return std::make_unique<PhotoDecode>(context, with_params(full_photo_decode(), context.params));
}

std::unique_ptr<Workload> make_gpu_small_photo_decode(const CaseContext& context) {
  return std::make_unique<PhotoDecode>(context, with_params(gpu_small_photo_decode(), context.params));
}

}  // namespace stepgate
