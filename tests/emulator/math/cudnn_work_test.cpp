#include "emulator/math/cudnn/cudnn_work.h"

#include <gtest/gtest.h>

#include <vector>

namespace stepgate::emulator {
namespace {

constexpr CudnnTypeRow bytes_type{5, "uint8", 8};
constexpr CudnnTypeRow float_type{0, "float", 32};

TEST(CudnnWork, ANameSaysTheShapeOfTheFirstTensor) {
  const std::vector<CudnnTensor> tensors = {{{2, 3}, {3, 1}, float_type}, {{3}, {1}, float_type}};
  const CudnnWork work = streamed_work("Softmax", tensors, 2);
  EXPECT_EQ(work.name, "cudnn Softmax [2,3] float");
  EXPECT_EQ(work.flops, 6);
  EXPECT_EQ(work.bytes, 2 * (24 + 12));
}

TEST(CudnnWork, OnlyStatesOfDropoutAreNoValues) {
  const CudnnTensor states{{1024}, {1}, bytes_type};
  const CudnnWork work = dropout_states_work(states);
  EXPECT_EQ(work.name, "cudnn DropoutStates [1024] uint8");
  EXPECT_EQ(work.bytes, 1024);
  EXPECT_TRUE(work.is_private);
  EXPECT_FALSE(streamed_work("Softmax", std::vector{states}).is_private);
  EXPECT_FALSE(work_of(ConvolutionWork{}).is_private);
}

}  // namespace
}  // namespace stepgate::emulator
