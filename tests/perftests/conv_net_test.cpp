#include "vision/conv_net.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

constexpr ConvNetSize net_size = {.channels = 3, .classes = 5, .width = 4, .stages = 3, .blocks = 2};

TEST(ConvNet, GivesOneLogitPerClassForImagesOfAnySize) {
  ConvNet net(net_size);
  EXPECT_EQ(net->forward(torch::rand({2, 3, 16, 12})).sizes(), (std::vector<std::int64_t>{2, 5}));
  EXPECT_EQ(net->forward(torch::rand({3, 3, 9, 9})).sizes(), (std::vector<std::int64_t>{3, 5}));
}

TEST(ConvNet, HasTheParametersOfItsSize) {
  const auto convolution = [](std::int64_t from, std::int64_t to, std::int64_t kernel) {
    return from * to * kernel * kernel + 2 * to;  // and the weight and bias of its norm
  };
  std::int64_t expected = convolution(3, 4, 3);
  for (const std::int64_t to : {4, 8, 16}) {
    const std::int64_t from = to == 4 ? 4 : to / 2;
    expected += convolution(from, to, 3) + 3 * convolution(to, to, 3);
    if (from != to) expected += convolution(from, to, 1);
  }
  expected += 16 * 5 + 5;
  std::int64_t found = 0;
  for (const auto& parameter : ConvNet(net_size)->parameters()) found += parameter.numel();
  EXPECT_EQ(found, expected);
}

TEST(ConvNet, EveryParameterTakesPart) {
  ConvNet net(net_size);
  net->forward(torch::rand({4, 3, 16, 16})).square().sum().backward();
  for (const auto& parameter : net->named_parameters()) {
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    EXPECT_GT(parameter.value().grad().abs().sum().item<double>(), 0) << parameter.key();
  }
}

TEST(ConvBlock, HalvesOnlyWithAStride) {
  EXPECT_EQ(ConvBlock(4, 4, 1)->forward(torch::rand({2, 4, 8, 8})).sizes(), (std::vector<std::int64_t>{2, 4, 8, 8}));
  EXPECT_EQ(ConvBlock(4, 8, 2)->forward(torch::rand({2, 4, 8, 8})).sizes(), (std::vector<std::int64_t>{2, 8, 4, 4}));
}

}  // namespace
}  // namespace stepgate
