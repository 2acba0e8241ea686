// The size of a digits workload: the parameters that a case declares and a sweep may vary.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "support/image_loader.h"
#include "vision/conv_net.h"

namespace stepgate {

struct DigitsCnnSize {
  ConvNetSize net;
  LoaderShape loader;
  std::int64_t repeats = 1;  ///< repetitions of each image in an epoch
};

/// `vision/digits_cnn/tiny`: about 10 ms per step on one CPU thread. No workers: loading a batch takes well under a
/// tenth of the step, so a worker thread on the same core would cost more than it saves.
DigitsCnnSize tiny_digits_cnn();

/// `vision/digits_cnn/full`: 8 workers, pinned batches of 1024, for a GPU.
DigitsCnnSize full_digits_cnn();

/// `vision/digits_cnn/gpu_small`: 2 workers, pinned batches of 256, for a GPU of 8 GB.
DigitsCnnSize gpu_small_digits_cnn();

/// As Case::params: "batch_size", "loader_workers", "prefetch_batches", "pin", "width", "stages", "blocks", "repeats".
std::map<std::string, std::string> params_of(const DigitsCnnSize& size);

/// `size`, with the values of `params`. Throws std::invalid_argument for an unknown name or an invalid number.
DigitsCnnSize with_params(DigitsCnnSize size, const std::map<std::string, std::string>& params);

}  // namespace stepgate
