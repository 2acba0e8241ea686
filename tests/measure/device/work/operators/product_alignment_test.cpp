#include "measure/device/work/operators/product_alignment.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

using MatrixSizes = std::vector<std::vector<std::int64_t>>;

bool is_misaligned(std::string_view name, const MatrixSizes& sizes, std::string dtype, bool on_gpu = false) {
  OperatorCall call;
  for (const auto& each : sizes) call.inputs.push_back({.sizes = each, .strides = {}, .dtype = dtype, .from = ""});
  return is_misaligned_product(name, call, on_gpu);
}

TEST(ProductAlignment, LooksAtInnerSizeAndColumns) {
  EXPECT_FALSE(is_misaligned("aten::mm", {{7, 64}, {64, 96}}, "bfloat16")) << "the number of rows does not matter";
  EXPECT_TRUE(is_misaligned("aten::mm", {{7, 64}, {64, 97}}, "bfloat16"));
  EXPECT_TRUE(is_misaligned("aten::mm", {{8, 60}, {60, 96}}, "float16"));
  EXPECT_TRUE(is_misaligned("aten::bmm", {{2, 8, 64}, {2, 64, 9}}, "bfloat16"));
  EXPECT_TRUE(is_misaligned("aten::addmm", {{10}, {8, 64}, {64, 10}}, "bfloat16"));
  EXPECT_FALSE(is_misaligned("aten::addmm", {{16}, {8, 64}, {64, 16}}, "bfloat16"));
  EXPECT_TRUE(is_misaligned("aten::mkldnn_linear", {{8, 64}, {10, 64}}, "bfloat16")) << "the weight is (N, K)";
}

TEST(ProductAlignment, DependsOnDtypeAndDevice) {
  EXPECT_FALSE(is_misaligned("aten::mm", {{8, 6}, {6, 9}}, "float32"));
  EXPECT_TRUE(is_misaligned("aten::mm", {{8, 6}, {6, 8}}, "float32", true));
  EXPECT_FALSE(is_misaligned("aten::mm", {{8, 4}, {4, 12}}, "float32", true));
  EXPECT_FALSE(is_misaligned("aten::mm", {{8, 6}, {6, 9}}, "float64", true));
}

TEST(ProductAlignment, IsOfMatrixProductsOnly) {
  EXPECT_FALSE(is_misaligned("aten::mul", {{8, 6}, {8, 6}}, "bfloat16"));
  EXPECT_FALSE(is_misaligned("aten::mm", {{8, 6}}, "bfloat16"));
  EXPECT_FALSE(is_misaligned("aten::mv", {{8, 6}, {6}}, "bfloat16"));
}

}  // namespace
}  // namespace stepgate
