// The size of a photograph workload: the parameters that a case declares and a sweep may vary.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "support/image_loader.h"
#include "vision/conv_net.h"
#include "vision/photo_samples.h"

namespace stepgate {

struct PhotoDecodeSize {
  ConvNetSize net;
  LoaderShape loader;
  PhotoShape photo;
};

/// `vision/photo_decode/tiny`: about 10 ms per step on one CPU thread, most of it decoding. One worker, because that is
/// the smallest loader that overlaps with the step: if the worker is lost or takes longer than the step, data_wait
/// shows it.
PhotoDecodeSize tiny_photo_decode();

/// `vision/photo_decode/full`: 8 workers, pinned batches of 128 images of 224 x 224 pixels, for a GPU.
PhotoDecodeSize full_photo_decode();

/// `vision/photo_decode/gpu_small`: 4 workers, pinned batches of 32 images of 128 x 128 pixels, for a GPU of 8 GB.
PhotoDecodeSize gpu_small_photo_decode();

/// As Case::params: "batch_size", "loader_workers", "prefetch_batches", "pin", "width", "stages", "blocks", "image"
/// (side of a sample in pixels), "crops" (samples of an epoch).
std::map<std::string, std::string> params_of(const PhotoDecodeSize& size);

/// `size`, with the values of `params`. Throws std::invalid_argument for an unknown name or an invalid number.
PhotoDecodeSize with_params(PhotoDecodeSize size, const std::map<std::string, std::string>& params);

}  // namespace stepgate
