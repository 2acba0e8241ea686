#include "emulator/math/cudnn/cudnn_operation_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "emulator/math/cudnn_backend_fixture.h"

namespace stepgate::emulator {
namespace {

constexpr std::array<CudnnTypeRow, 2> test_types = {test_float, test_half};

BackendDescriptor test_convolution(BackendKind kind) {
  BackendDescriptor shape = made(BackendKind::convolution);
  set_numbers(shape, BackendAttribute::convolution_padding, {1, 1});
  set_numbers(shape, BackendAttribute::convolution_strides, {2, 2});
  set_numbers(shape, BackendAttribute::convolution_dilations, {1, 1});
  shape = finished(shape);
  BackendDescriptor image = finished_tensor({'x', {8, 4, 32, 32}, {4096, 1, 128, 4}, test_half.number});
  BackendDescriptor filter = finished_tensor({'w', {16, 4, 3, 3}, {36, 9, 3, 1}, test_half.number});
  BackendDescriptor output = finished_tensor({'y', {8, 16, 16, 16}, {4096, 256, 16, 1}, test_half.number});
  BackendDescriptor operation = made(kind);
  set_parts(operation, BackendAttribute::operation_convolution, {&shape});
  set_parts(operation, BackendAttribute::operation_image, {&image});
  set_parts(operation, BackendAttribute::operation_filter, {&filter});
  set_parts(operation, BackendAttribute::operation_output, {&output});
  return finished(operation);
}

BackendDescriptor test_product(const TensorFacts& left, const TensorFacts& right, const TensorFacts& output) {
  BackendDescriptor a = finished_tensor(left);
  BackendDescriptor b = finished_tensor(right);
  BackendDescriptor c = finished_tensor(output);
  BackendDescriptor operation = made(BackendKind::matmul_operation);
  set_parts(operation, BackendAttribute::matmul_left, {&a});
  set_parts(operation, BackendAttribute::matmul_right, {&b});
  set_parts(operation, BackendAttribute::matmul_output, {&c});
  return finished(operation);
}

TEST(CudnnOperationGraph, NamesAConvolution) {
  const BackendDescriptor plan = finished_plan({test_convolution(BackendKind::convolution_forward)});
  const CudnnWork work = work_of_plan(*plan.data, test_types);
  EXPECT_EQ(work.name,
            "cudnn ConvolutionForward x[8,4,32,32] channels_last w[16,4,3,3] y[8,16,16,16] pad 1,1 stride 2,2 "
            "dilation 1,1 half");
  EXPECT_DOUBLE_EQ(work.flops, 2.0 * (8 * 16 * 16 * 16) * (4 * 3 * 3));
  EXPECT_DOUBLE_EQ(work.bytes, 2.0 * (8 * 4 * 32 * 32 + 16 * 4 * 3 * 3 + 8 * 16 * 16 * 16));
}

TEST(CudnnOperationGraph, NamesBothGradients) {
  const BackendDescriptor data = finished_plan({test_convolution(BackendKind::convolution_backward_data)});
  EXPECT_THAT(work_of_plan(*data.data, test_types).name, testing::StartsWith("cudnn ConvolutionBackwardData x[8,"));
  const BackendDescriptor filter = finished_plan({test_convolution(BackendKind::convolution_backward_filter)});
  EXPECT_THAT(work_of_plan(*filter.data, test_types).name, testing::StartsWith("cudnn ConvolutionBackwardFilter x[8,"));
}

TEST(CudnnOperationGraph, NamesWhatIsFusedWithAConvolution) {
  const BackendDescriptor plan =
      finished_plan({test_convolution(BackendKind::convolution_forward), finished(BackendKind::pointwise_operation),
                     finished(BackendKind::pointwise_operation)});
  EXPECT_THAT(work_of_plan(*plan.data, test_types).name, testing::EndsWith(" half +Pointwise*2"));
}

TEST(CudnnOperationGraph, SeesAttentionInAComposedGraph) {
  const TensorFacts query = {1, {2, 3, 5, 8}, {120, 40, 8, 1}, test_half.number};
  const TensorFacts key = {2, {2, 3, 8, 7}, {168, 56, 1, 8}, test_half.number};
  const TensorFacts scores = {3, {2, 3, 5, 7}, {105, 35, 7, 1}, test_float.number, true};
  const TensorFacts value = {4, {2, 3, 7, 8}, {168, 56, 8, 1}, test_half.number};
  const TensorFacts output = {5, {2, 3, 5, 8}, {120, 40, 8, 1}, test_half.number};
  const BackendDescriptor plan =
      finished_plan({test_product(query, key, scores), finished(BackendKind::reduction_operation),
                     test_product(scores, value, output)});
  const CudnnWork work = work_of_plan(*plan.data, test_types);
  EXPECT_EQ(work.name, "cudnn AttentionForward [2,3,5,8] [2,3,8,7] [2,3,7,8] [2,3,5,8] half");
  EXPECT_DOUBLE_EQ(work.flops, 2.0 * (2 * 3 * 5 * 7) * 8 + 2.0 * (2 * 3 * 5 * 8) * 7);
  EXPECT_DOUBLE_EQ(work.bytes, 2.0 * (240 + 336 + 336 + 240));
}

TEST(CudnnOperationGraph, NamesAttentionOfOneOperation) {
  BackendDescriptor query = finished_tensor({1, {2, 3, 5, 8}, {120, 40, 8, 1}, test_half.number});
  BackendDescriptor key = finished_tensor({2, {2, 3, 7, 8}, {168, 56, 8, 1}, test_half.number});
  BackendDescriptor operation = made(BackendKind::attention_backward);
  set_parts(operation, BackendAttribute::attention_query, {&query});
  set_parts(operation, BackendAttribute::attention_key, {&key});
  const BackendDescriptor plan = finished_plan({finished(operation)});
  const CudnnWork work = work_of_plan(*plan.data, test_types);
  EXPECT_EQ(work.name, "cudnn AttentionBackward [2,3,5,8] [2,3,7,8] half");
  EXPECT_DOUBLE_EQ(work.flops, 5 * 2.0 * 240 * 7);
}

TEST(CudnnOperationGraph, ListsOperationsOfOtherGraphs) {
  const BackendDescriptor plan =
      finished_plan({finished(BackendKind::reshape_operation), finished(BackendKind::pointwise_operation),
                     finished(BackendKind::pointwise_operation)});
  EXPECT_EQ(work_of_plan(*plan.data, test_types).name, "cudnn graph Reshape+Pointwise*2");
}

}  // namespace
}  // namespace stepgate::emulator
