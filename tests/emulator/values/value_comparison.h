// Comparisons of tensors for the tests of values.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string_view>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {

/// Float32 with other orders of sums. Own choice: sums of these tests have up to 100 terms near 1.
inline constexpr double float_difference = 2e-5;

inline void expect_near(const at::Tensor& found, const at::Tensor& expected, std::string_view what) {
  ASSERT_EQ(found.sizes(), expected.sizes()) << what;
  EXPECT_TRUE(at::allclose(found.to(at::kFloat), expected.to(at::kFloat), float_difference, float_difference))
      << what << " differs by up to " << (found - expected).abs().max().item<double>();
}

inline Values values_of(std::string_view name, Values arguments, RandomPlace place = {}) {
  const ValueOperator* found = find_value_operator(name);
  if (found == nullptr) {
    ADD_FAILURE() << "no value for " << name;
    return {};
  }
  return found->compute({arguments, place});
}

inline c10::IValue or_none(const at::Tensor& tensor) { return tensor.defined() ? c10::IValue(tensor) : c10::IValue(); }

/// A new leaf of automatic differentiation with these values.
inline at::Tensor differentiable(const at::Tensor& tensor) { return tensor.detach().clone().requires_grad_(true); }

}  // namespace stepgate::emulator
