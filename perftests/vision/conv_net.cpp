#include "vision/conv_net.h"

namespace stepgate {
namespace {

/// No bias: the following batch norm has one.
torch::nn::Conv2d convolution(std::int64_t from, std::int64_t to, std::int64_t kernel, std::int64_t stride) {
  return torch::nn::Conv2d(torch::nn::Conv2dOptions(from, to, kernel).stride(stride).padding(kernel / 2).bias(false));
}

torch::nn::Sequential shortcut(std::int64_t from, std::int64_t to, std::int64_t stride) {
  torch::nn::Sequential layers;
  if (from != to || stride != 1) {
    layers->push_back(convolution(from, to, 1, stride));
    layers->push_back(torch::nn::BatchNorm2d(to));
  }
  return layers;
}

}  // namespace

ConvBlockImpl::ConvBlockImpl(std::int64_t from, std::int64_t to, std::int64_t stride)
    : first_(register_module("first", convolution(from, to, 3, stride))),
      first_norm_(register_module("first_norm", torch::nn::BatchNorm2d(to))),
      second_(register_module("second", convolution(to, to, 3, 1))),
      second_norm_(register_module("second_norm", torch::nn::BatchNorm2d(to))),
      shortcut_(register_module("shortcut", shortcut(from, to, stride))) {}

torch::Tensor ConvBlockImpl::forward(const torch::Tensor& input) {
  const auto inner = second_norm_(second_(torch::silu(first_norm_(first_(input)))));
  return torch::silu(inner + (shortcut_->is_empty() ? input : shortcut_->forward(input)));
}

ConvNetImpl::ConvNetImpl(const ConvNetSize& size)
    : stem_(register_module("stem", convolution(size.channels, size.width, 3, 1))),
      stem_norm_(register_module("stem_norm", torch::nn::BatchNorm2d(size.width))),
      stages_(register_module("stages", torch::nn::Sequential())),
      head_(register_module("head", torch::nn::Linear(size.width << (size.stages - 1), size.classes))) {
  std::int64_t from = size.width;
  for (std::int64_t stage = 0; stage < size.stages; ++stage) {
    const std::int64_t to = size.width << stage;
    for (std::int64_t block = 0; block < size.blocks; ++block) {
      stages_->push_back(ConvBlock(from, to, stage > 0 && block == 0 ? 2 : 1));
      from = to;
    }
  }
}

torch::Tensor ConvNetImpl::forward(const torch::Tensor& images) {
  const auto features = stages_->forward(torch::silu(stem_norm_(stem_(images))));
  return head_(features.mean({2, 3}));
}

}  // namespace stepgate
