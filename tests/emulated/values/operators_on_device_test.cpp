#include <ATen/Context.h>

#include <tuple>

#include "emulated/values/device_comparison.h"

namespace stepgate {
namespace {

TEST(OperatorsOnDevice, GiveTheNumbersOfTheCpu) {
  at::manual_seed(1);
  const Tensors two = {at::randn({17, 8}), at::randn({17, 8})};
  expect_equal_on_device("sum of two", two, [](const Tensors& of) { return of[0] + of[1] * 2; });
  expect_equal_on_device("product", two, [](const Tensors& of) { return of[0].matmul(of[1].t()); });
  expect_equal_on_device("softmax", two, [](const Tensors& of) { return of[0].softmax(-1); });
  expect_equal_on_device("strided", two, [](const Tensors& of) { return of[0].t().slice(0, 1, 7, 2) + 1; });
  expect_equal_on_device("sorted", two, [](const Tensors& of) { return std::get<0>(of[0].sort(1)); });
  expect_equal_on_device("joined", two, [](const Tensors& of) { return at::cat({of[0], of[1]}, 1); });
  expect_equal_on_device("factory", two,
                         [](const Tensors& of) { return at::arange(5, of[0].options().dtype(at::kLong)); });
}

TEST(OperatorsOnDevice, InPlaceOnesReadWhatWasThere) {
  at::manual_seed(2);
  const Tensors inputs = {at::randn({8, 8}), at::randn({8, 8})};
  expect_equal_on_device("addmm_", inputs, [](const Tensors& of) {
    at::Tensor sum = of[0].clone();
    sum.addmm_(of[1], of[1], 0.5, 2);
    return sum;
  });
  expect_equal_on_device("a part", inputs, [](const Tensors& of) {
    at::Tensor all = of[0].clone();
    all.slice(1, 1, 8, 3).mul_(3).add_(of[1].slice(1, 1, 8, 3));
    return all;
  });
  expect_equal_on_device("indexed", inputs, [](const Tensors& of) {
    const at::Tensor places = at::arange(3, of[0].options().dtype(at::kLong)).remainder(2);
    at::Tensor all = of[0].clone();
    all.index_put_({places}, of[1].slice(0, 0, 3), true);
    return all;
  });
  expect_equal_on_device("lists", inputs, [](const Tensors& of) {
    Tensors lists = {of[0].clone(), of[1].clone()};
    at::_foreach_mul_(lists, 3);
    at::_foreach_add_(lists, lists);
    return lists[0] + lists[1];
  });
}

TEST(OperatorsOnDevice, ResultsHaveTheSizesThatTheirValuesSay) {
  const at::Tensor numbers = at::tensor({3.0F, -1.0F, 0.0F, 3.0F, 2.0F, 0.0F});
  expect_equal_on_device("nonzero", {numbers}, [](const Tensors& of) { return of[0].nonzero(); });
  expect_equal_on_device("selected", {numbers}, [](const Tensors& of) { return of[0].masked_select(of[0] > 1); });
  expect_equal_on_device("mask as index", {numbers}, [](const Tensors& of) { return of[0].index({of[0] > 1}); });
  expect_equal_on_device("unique", {numbers}, [](const Tensors& of) { return std::get<0>(at::_unique2(of[0])); });
  expect_equal_on_device("written by mask", {numbers}, [](const Tensors& of) {
    at::Tensor all = of[0].clone();
    all.index_put_({of[0] > 1}, at::zeros({}, of[0].options()));
    return all;
  });
  const at::Tensor counts = at::tensor({2, 0, 3}, at::kLong);
  expect_equal_on_device("repeated", {counts}, [](const Tensors& of) { return at::repeat_interleave(of[0]); });
  expect_equal_on_device("counted", {counts}, [](const Tensors& of) { return at::bincount(of[0]); });
  const at::Tensor moved = numbers.to(at::kCUDA);
  EXPECT_TRUE(at::equal(moved, moved.clone()));
  EXPECT_FALSE(at::equal(moved, moved + 1));
}

TEST(OperatorsOnDevice, CopiesConvertOnTheWay) {
  const at::Tensor numbers = at::arange(12, at::kDouble).view({3, 4});
  const at::Tensor moved = numbers.t().to(at::kCUDA, at::kFloat);
  EXPECT_TRUE(at::equal(moved.to(at::kCPU), numbers.t().to(at::kFloat)));
  EXPECT_TRUE(at::equal(moved.t().slice(1, 0, 4, 2).to(at::kCPU, at::kLong), numbers.slice(1, 0, 4, 2).to(at::kLong)));
  EXPECT_EQ((moved.sum() * 2).item<float>(), 132);
}

TEST(OperatorsOnDevice, GradientsAreThoseOfTheCpu) {
  at::manual_seed(4);
  expect_near_on_device("two layers", {at::randn({6, 10}), at::randn({10, 12}), at::randn({12, 3})},
                        [](const Tensors& of) { return of[0].matmul(of[1]).relu().matmul(of[2]).log_softmax(-1); });
  expect_near_on_device("convolution", {at::randn({2, 3, 6, 6}), at::randn({4, 3, 3, 3}), at::randn({4})},
                        [](const Tensors& of) { return at::conv2d(of[0], of[1], of[2], 1, 1).relu(); });
  expect_near_on_device(
      "batch normalisation", {at::randn({4, 3, 5, 5}), at::randn({3}), at::randn({3})},
      [](const Tensors& of) { return at::batch_norm(of[0], of[1], of[2], {}, {}, true, 0.1, 1e-5, true); });
  expect_near_on_device("layer normalisation", {at::randn({4, 6}), at::randn({6}), at::randn({6})},
                        [](const Tensors& of) { return at::layer_norm(of[0], {6}, of[1], of[2]); });
}

TEST(OperatorsOnDevice, EachKindOfAttentionHasValues) {
  at::manual_seed(5);
  const Tensors inputs = {at::randn({2, 2, 8, 16}), at::randn({2, 2, 8, 16}), at::randn({2, 2, 8, 16})};
  const auto attend = [](const Tensors& of) {
    return at::scaled_dot_product_attention(of[0], of[1], of[2], {}, 0.0, true);
  };
  expect_near_on_device("float32: memory-efficient", inputs, attend);
  for (const bool with_cudnn : {false, true}) {
    at::globalContext().setSDPUseCuDNN(with_cudnn);
    const at::Tensor found =
        attend(on_device({inputs[0].to(at::kBFloat16), inputs[1].to(at::kBFloat16), inputs[2].to(at::kBFloat16)}));
    constexpr double bfloat16_difference = 2e-2;  // 3 digits, of numbers up to 3
    EXPECT_TRUE(at::allclose(found.to(at::kCPU, at::kFloat), attend(inputs), bfloat16_difference, bfloat16_difference))
        << "cuDNN " << with_cudnn;
  }
  at::globalContext().setSDPUseCuDNN(true);
}

TEST(OperatorsOnDevice, RecurrentNetworksHaveValues) {
  at::manual_seed(6);
  const Tensors inputs = {at::randn({4, 2, 3}), at::randn({1, 2, 5}), at::randn({1, 2, 5}), at::randn({20, 3}),
                          at::randn({20, 5}),   at::randn({20}),      at::randn({20})};
  expect_near_on_device("LSTM", inputs, [](const Tensors& of) {
    const Tensors state = {of[1], of[2]};
    const Tensors weights = {of[3], of[4], of[5], of[6]};
    return std::get<0>(at::lstm(of[0], state, weights, true, 1, 0.0, true, false, false));
  });
}

TEST(OperatorsOnDevice, OneWithoutValuesEndsTheProcessWithItsName) {
  const at::Tensor moved = at::ones({4, 3}).to(at::kCUDA);
  constexpr int refusal_status = 78;
  EXPECT_EXIT(at::batch_norm_stats(moved, 1e-5), testing::ExitedWithCode(refusal_status),
              "aten::batch_norm_stats.*no kernel for CPUs");
}

}  // namespace
}  // namespace stepgate
