// How big a digits workload is: the parameters that a case declares and a sweep may vary.
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
  std::int64_t repeats = 1;  ///< how often an epoch shows each image
};

/// `vision/digits_cnn/tiny`: about 10 ms a step on one CPU thread. No workers: a batch takes well under a tenth of the
/// step to make, less than handing it over from a thread that fights for the same core can win back.
DigitsCnnSize tiny_digits_cnn();

/// `vision/digits_cnn/full`: 8 workers, pinned batches of 1024, for a GPU.
DigitsCnnSize full_digits_cnn();

/// As Case::params: "batch_size", "loader_workers", "prefetch_batches", "pin", "width", "stages", "blocks", "repeats".
std::map<std::string, std::string> params_of(const DigitsCnnSize& size);

/// `size` with what `params` sets instead. Throws std::invalid_argument for a name or number that it does not know.
DigitsCnnSize with_params(DigitsCnnSize size, const std::map<std::string, std::string>& params);

}  // namespace stepgate
