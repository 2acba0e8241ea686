#include "emulator/math/cudnn/cudnn_rnn_layout.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

/// An LSTM of two layers with projection, in both directions, of 4-byte elements.
constexpr RnnShape projected_lstm = {4, 5, 6, 3, 2, 2, 2, 4};
constexpr RnnShape plain_gru = {3, 5, 6, 6, 1, 1, 2, 2};

TEST(CudnnRnnLayout, WeightsOfOneLayerTouch) {
  std::int64_t expected_bytes = 0;
  for (std::int64_t place = 0; place < 6; ++place) {
    const auto weight = matrix_of(plain_gru, 0, place);
    ASSERT_TRUE(weight);
    EXPECT_EQ(weight->offset_bytes, expected_bytes);
    EXPECT_EQ(weight->rows, 6);
    EXPECT_EQ(weight->columns, place < 3 ? 5 : 6);
    expected_bytes += weight->rows * weight->columns * 2;
  }
  for (std::int64_t place = 0; place < 6; ++place) {
    const auto bias = bias_of(plain_gru, 0, place);
    ASSERT_TRUE(bias);
    EXPECT_EQ(bias->offset_bytes, expected_bytes);
    expected_bytes += 6 * 2;
  }
  EXPECT_EQ(weight_space_bytes(plain_gru), expected_bytes);
}

TEST(CudnnRnnLayout, LaterLayersReadAllDirections) {
  EXPECT_EQ(matrix_of(projected_lstm, 1, 0)->columns, 5);
  EXPECT_EQ(matrix_of(projected_lstm, 2, 0)->columns, 6);
  EXPECT_EQ(matrix_of(projected_lstm, 2, 4)->columns, 3);
}

TEST(CudnnRnnLayout, TheProjectionComesAfterTheGates) {
  const auto projection = matrix_of(projected_lstm, 0, 8);
  ASSERT_TRUE(projection);
  EXPECT_EQ(projection->rows, 3);
  EXPECT_EQ(projection->columns, 6);
  const std::int64_t gates_bytes = 4 * (6 * 5 + 6 * 3) * 4;
  EXPECT_EQ(projection->offset_bytes, gates_bytes);
  EXPECT_EQ(matrix_of(projected_lstm, 1, 0)->offset_bytes, gates_bytes + 3 * 6 * 4);
  EXPECT_FALSE(matrix_of(plain_gru, 0, 6));
}

TEST(CudnnRnnLayout, TheLastBiasEndsTheSpace) {
  const auto bias = bias_of(projected_lstm, 3, 7);
  ASSERT_TRUE(bias);
  EXPECT_EQ(bias->offset_bytes + bias->rows * 4, weight_space_bytes(projected_lstm));
  EXPECT_FALSE(bias_of(projected_lstm, 3, 8));
  EXPECT_FALSE(bias_of(projected_lstm, 4, 0));
}

TEST(CudnnRnnLayout, OnlyTrainingReserves) {
  EXPECT_EQ(spaces_of(plain_gru, 7, 2, false).reserve_bytes, 0);
  EXPECT_GT(spaces_of(plain_gru, 7, 2, true).reserve_bytes, spaces_of(plain_gru, 6, 2, true).reserve_bytes);
}

TEST(CudnnRnnLayout, RefusesShapesThatAreNone) {
  EXPECT_TRUE(is_valid(plain_gru));
  RnnShape shape = plain_gru;
  shape.projection = shape.hidden + 1;
  EXPECT_FALSE(is_valid(shape));
  shape = plain_gru;
  shape.layers = 0;
  EXPECT_FALSE(is_valid(shape));
}

}  // namespace
}  // namespace stepgate::emulator
