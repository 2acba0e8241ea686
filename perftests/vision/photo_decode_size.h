// How big a photograph workload is: the parameters that a case declares and a sweep may vary.
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

/// `vision/photo_decode/tiny`: about 10 ms a step on one CPU thread, most of it decoding. One worker, because that is
/// the smallest loader that overlaps with the step: losing it, or anything that it does taking longer than the step,
/// shows as data_wait.
PhotoDecodeSize tiny_photo_decode();

/// `vision/photo_decode/full`: 8 workers, pinned batches of 128 images of 224 x 224 pixels, for a GPU.
PhotoDecodeSize full_photo_decode();

/// As Case::params: "batch_size", "loader_workers", "prefetch_batches", "pin", "width", "stages", "blocks", "image"
/// (side of a sample in pixels), "crops" (samples of an epoch).
std::map<std::string, std::string> params_of(const PhotoDecodeSize& size);

/// `size` with what `params` sets instead. Throws std::invalid_argument for a name or number that it does not know.
PhotoDecodeSize with_params(PhotoDecodeSize size, const std::map<std::string, std::string>& params);

}  // namespace stepgate
