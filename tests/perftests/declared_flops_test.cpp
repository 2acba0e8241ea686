#include <gtest/gtest.h>

#include "language/transformer_flops.h"
#include "tabular/field_transformer_flops.h"
#include "vision/conv_net_flops.h"

namespace stepgate {
namespace {

TEST(DeclaredFlops, OfATransformerAreSixPerWeightAndTokenAndTheAttention) {
  const CharLmSize numbers{.layers = 12, .heads = 12, .width = 768, .batch = {}};
  const std::int64_t weights = 12 * 12 * 768 * 768 + 768 * 98;
  const std::int64_t attention = 12 * 12 * 768 * 512;  // 12 layers width length, per token
  EXPECT_EQ(transformer_step_flops(numbers, 32, 512), 32 * 512 * (6 * weights + attention));
}

TEST(DeclaredFlops, OfATransformersForwardAreAThirdOfItsStep) {
  const CharLmSize numbers{.layers = 2, .heads = 4, .width = 64, .batch = {}};
  EXPECT_EQ(3 * transformer_forward_flops(numbers, 4, 24), transformer_step_flops(numbers, 4, 24));
}

TEST(DeclaredFlops, OfAConvolutionNetFollowItsLayers) {
  // Stem 1 -> 4 on 5 x 5; block 4 -> 4 on 5 x 5; block 4 -> 8 on 3 x 3 with a 1x1 convolution; 8 -> 10.
  const ConvNetSize numbers{.channels = 1, .classes = 10, .width = 4, .stages = 2, .blocks = 1};
  const std::int64_t stem = 2 * 9 * 4 * 25;
  const std::int64_t first = 2 * (2 * 9 * 4 * 4 * 25);
  const std::int64_t second = 2 * 9 * 4 * 8 * 9 + 2 * 9 * 8 * 8 * 9 + 2 * 4 * 8 * 9;
  const std::int64_t head = 2 * 8 * 10;
  EXPECT_EQ(conv_net_step_flops(numbers, 7, 5, 5), 7 * (2 * stem + 3 * (first + second + head)));
}

TEST(DeclaredFlops, OfAFieldTransformerFollowItsProductsWhicheverWayTheyAreWritten) {
  FieldTransformerSize size = tiny_field_transformer();
  const std::int64_t own_matrices = 64 * 32 * 32;
  const std::int64_t attention = 64 * (3 + 1) * 32 * 32 + 2 * 64 * 64 * 32;
  const std::int64_t perceptron = 64 * 8 * 32 * 32;
  const std::int64_t expected = 32 * 6 * (own_matrices + attention + perceptron + 32 * 10);
  EXPECT_EQ(field_transformer_step_flops(size, 32), expected);
  // Counted by the observer in a step: 222'359'552. Backward of the attention computes its scores once more.
  EXPECT_EQ(expected, 222'359'552 - 32 * 2 * 64 * 64 * 32);
  size.model = FieldModel::naive;
  EXPECT_EQ(field_transformer_step_flops(size, 32), expected);
}

}  // namespace
}  // namespace stepgate
