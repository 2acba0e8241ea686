// The model FLOPs of a training step of the convolution network, for TFLOP/s and MFU.
#pragma once

#include <cstdint>

#include "vision/conv_net.h"

namespace stepgate {

/// Of forward and backward over rows images of height x width pixels: convolutions and the last layer, a multiplication
/// and an addition are two. Backward counts twice the forward, except in the first convolution, whose input needs no
/// gradient. Norms, activations and the optimizer are left out.
std::int64_t conv_net_step_flops(const ConvNetSize& size, std::int64_t rows, std::int64_t height, std::int64_t width);

}  // namespace stepgate
