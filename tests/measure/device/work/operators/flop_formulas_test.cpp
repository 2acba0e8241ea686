#include "measure/device/work/operators/flop_formulas.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

using Sizes = std::vector<std::int64_t>;

struct Shapes {
  std::vector<Sizes> inputs;
  std::vector<Sizes> outputs = {};
  std::vector<std::string> arguments = {};
};

std::vector<ObservedTensor> tensors(const std::vector<Sizes>& all) {
  std::vector<ObservedTensor> result;
  for (const Sizes& sizes : all) result.push_back({.sizes = sizes, .strides = {}, .dtype = "float32"});
  return result;
}

std::int64_t flops(std::string_view name, const Shapes& shapes) {
  const FlopFormula* formula = flop_formula(name);
  if (formula == nullptr) return -1;
  return formula->flops({tensors(shapes.inputs), tensors(shapes.outputs), shapes.arguments});
}

TEST(FlopFormulas, OfMatrixProducts) {
  EXPECT_EQ(flops("aten::mm", {.inputs = {{3, 5}, {5, 7}}}), 2 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::addmm", {.inputs = {{7}, {3, 5}, {5, 7}}}), 2 * 3 * 5 * 7) << "the bias does not count";
  EXPECT_EQ(flops("aten::bmm", {.inputs = {{4, 3, 5}, {4, 5, 7}}}), 4 * 2 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::baddbmm", {.inputs = {{4, 3, 7}, {4, 3, 5}, {4, 5, 7}}}), 4 * 2 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::addbmm", {.inputs = {{3, 7}, {4, 3, 5}, {4, 5, 7}}}), 4 * 2 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::mv", {.inputs = {{3, 5}, {5}}}), 2 * 3 * 5);
  EXPECT_EQ(flops("aten::addmv", {.inputs = {{3}, {3, 5}, {5}}}), 2 * 3 * 5);
  EXPECT_EQ(flops("aten::addr", {.inputs = {{3, 5}, {3}, {5}}}), 2 * 3 * 5);
  EXPECT_EQ(flops("aten::dot", {.inputs = {{5}, {5}}}), 2 * 5);
  EXPECT_EQ(flops("aten::mkldnn_linear", {.inputs = {{2, 3, 5}, {7, 5}}}), 2 * 2 * 3 * 5 * 7);
}

const Shapes grouped = {.inputs = {{2, 8, 9, 9}, {4, 4, 3, 3}},  // 2 groups
                        .outputs = {{2, 4, 7, 7}},
                        .arguments = {"[1, 1]", "[0, 0]", "[1, 1]", "False", "[0, 0]", "2"}};

TEST(FlopFormulas, OfConvolutions) {
  EXPECT_EQ(flops("aten::convolution", grouped), 2 * 2 * (7 * 7) * 4 * 4 * (3 * 3));
  Shapes transposed = {.inputs = {{2, 4, 7, 7}, {4, 8, 3, 3}},
                       .outputs = {{2, 8, 9, 9}},
                       .arguments = {"[1, 1]", "[0, 0]", "[1, 1]", "True", "[0, 0]", "1"}};
  EXPECT_EQ(flops("aten::convolution", transposed), 2 * 2 * (7 * 7) * 4 * 8 * (3 * 3));
}

TEST(FlopFormulas, OfEachWantedGradientOfAConvolution) {
  const auto with_mask = [](const char* mask) {
    return flops("aten::convolution_backward",
                 {.inputs = {{2, 4, 7, 7}, {2, 8, 9, 9}, {4, 4, 3, 3}},
                  .arguments = {"[4]", "[1, 1]", "[0, 0]", "[1, 1]", "False", "[0, 0]", "2", mask}});
  };
  const std::int64_t once = flops("aten::convolution", grouped);
  EXPECT_EQ(with_mask("[True, True, True]"), 2 * once);
  EXPECT_EQ(with_mask("[True, False, True]"), once);
  EXPECT_EQ(with_mask("[False, True, False]"), once);
  EXPECT_EQ(with_mask("[False, False, True]"), 0) << "the gradient of the bias is a sum";
}

TEST(FlopFormulas, OfAttention) {
  // 2 sequences, 3 heads, 5 queries of width 8, 7 keys and values of width 4.
  const std::vector<Sizes> forward = {{2, 3, 5, 8}, {2, 3, 7, 8}, {2, 3, 7, 4}};
  const std::int64_t scores = 2 * 3 * 5 * 7;
  EXPECT_EQ(flops("aten::_scaled_dot_product_flash_attention_for_cpu", {.inputs = forward}), 2 * scores * (8 + 4));
  EXPECT_EQ(flops("aten::_scaled_dot_product_efficient_attention", {.inputs = forward}), 2 * scores * (8 + 4));
  std::vector<Sizes> backward = forward;
  backward.insert(backward.begin(), {2, 3, 5, 4});
  for (const char* name : {"aten::_scaled_dot_product_flash_attention_for_cpu_backward",
                           "aten::_scaled_dot_product_flash_attention_backward"}) {
    EXPECT_EQ(flops(name, {.inputs = backward}), 2 * scores * (3 * 8 + 2 * 4)) << name;
  }
}

TEST(FlopFormulas, ReadNothingBeyondACallWithFewOperands) {
  for (const char* name : {"aten::mm", "aten::addmm", "aten::addr", "aten::convolution", "aten::convolution_backward",
                           "aten::_scaled_dot_product_flash_attention_backward", "aten::mkldnn_linear"}) {
    EXPECT_EQ(flops(name, {.inputs = {}}) > 0, std::string_view(name).find("attention") != std::string_view::npos);
  }
}

TEST(FlopFormulas, TellWhatIsUnknownFromWhatCountsNothing) {
  for (const char* name : {"aten::copy_", "aten::sum", "aten::native_layer_norm", "aten::_fused_adamw_", "aten::empty",
                           "c10d::allreduce_"}) {
    EXPECT_TRUE(counts_no_flops(name)) << name;
    EXPECT_EQ(flop_formula(name), nullptr) << name;
  }
  for (const char* name : {"aten::mkldnn_rnn_layer", "aten::_linalg_svd", "my::operator", "mine::sum", "aten::su"}) {
    EXPECT_FALSE(counts_no_flops(name)) << name;
    EXPECT_EQ(flop_formula(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace stepgate
