#include "vision/conv_net_flops.h"

namespace stepgate {
namespace {

constexpr std::int64_t weight_gradient_only = 2;  ///< forward, and one product of backward
constexpr std::int64_t whole_training = 3;        ///< forward, and both products of backward

std::int64_t convolution_flops(std::int64_t from, std::int64_t to, std::int64_t kernel, std::int64_t pixels) {
  return 2 * from * to * kernel * kernel * pixels;
}

}  // namespace

std::int64_t conv_net_step_flops(const ConvNetSize& size, std::int64_t rows, std::int64_t height, std::int64_t width) {
  std::int64_t per_image = weight_gradient_only * convolution_flops(size.channels, size.width, 3, height * width);
  std::int64_t from = size.width;
  for (std::int64_t stage = 0; stage < size.stages; ++stage) {
    const std::int64_t to = size.width << stage;
    if (stage > 0) {  // its first block halves the image, rounded up
      height = (height + 1) / 2;
      width = (width + 1) / 2;
    }
    const std::int64_t pixels = height * width;
    for (std::int64_t block = 0; block < size.blocks; ++block) {
      const bool adapted = stage > 0 && block == 0;
      per_image += whole_training * (convolution_flops(from, to, 3, pixels) + convolution_flops(to, to, 3, pixels) +
                                     (adapted ? convolution_flops(from, to, 1, pixels) : 0));
      from = to;
    }
  }
  per_image += whole_training * 2 * from * size.classes;
  return per_image * rows;
}

}  // namespace stepgate
