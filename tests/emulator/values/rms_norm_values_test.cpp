#include <torch/csrc/autograd/autograd.h>

#include <limits>
#include <vector>

#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

at::Tensor composed_rms_norm(const at::Tensor& input, const at::Tensor& weight, double least) {
  const at::Tensor root = (input.square().sum({-1, -2}, true) / 10 + least).sqrt();
  return weight.defined() ? input / root * weight : input / root;
}

TEST(RmsNormValues, ForwardIsTheDefinition) {
  const at::Tensor input = at::randn({4, 3, 2, 5});
  const at::Tensor weight = at::randn({2, 5});
  const c10::List<std::int64_t> shape({2, 5});
  const Values found = values_of("aten::_fused_rms_norm", {input, shape, weight, 0.5});
  expect_near(found.at(0).toTensor(), composed_rms_norm(input, weight, 0.5), "output");
  EXPECT_EQ(found.at(1).toTensor().sizes(), (std::vector<std::int64_t>{4, 3, 1, 1}));
  const Values plain = values_of("aten::_fused_rms_norm", {input, shape, c10::IValue(), c10::IValue()});
  const double least = std::numeric_limits<float>::epsilon();
  expect_near(plain.at(0).toTensor(), composed_rms_norm(input, {}, least), "without weight");
}

TEST(RmsNormValues, BackwardIsTheGradientOfTheDefinition) {
  const at::Tensor input = differentiable(at::randn({4, 3, 2, 5}));
  const at::Tensor weight = differentiable(at::randn({2, 5}));
  const at::Tensor gradient = at::randn_like(input.detach());
  const auto expected = torch::autograd::grad({composed_rms_norm(input, weight, 0.5)}, {input, weight}, {gradient});
  const at::Tensor inverse = (input.detach().square().sum({-1, -2}, true) / 10 + 0.5).rsqrt();
  const Values found =
      values_of("aten::_fused_rms_norm_backward", {gradient, input.detach(), c10::List<std::int64_t>({2, 5}), inverse,
                                                   weight.detach(), c10::List<bool>({true, true})});
  ASSERT_EQ(found.size(), 2U);
  expect_near(found[0].toTensor(), expected[0], "input");
  expect_near(found[1].toTensor(), expected[1], "weight");
}

}  // namespace
}  // namespace stepgate::emulator
