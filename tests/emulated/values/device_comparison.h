// The same operators on the CPU and on the emulated device.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <string_view>
#include <vector>

namespace stepgate {

using Tensors = std::vector<at::Tensor>;

inline Tensors on_device(const Tensors& tensors) {
  Tensors moved;
  for (const at::Tensor& tensor : tensors) moved.push_back(tensor.to(at::kCUDA));
  return moved;
}

/// `compute` takes a list of tensors and returns one.
template <typename Compute>
void expect_equal_on_device(std::string_view what, const Tensors& inputs, Compute compute) {
  const at::Tensor expected = compute(inputs);
  const at::Tensor found = compute(on_device(inputs));
  EXPECT_TRUE(found.is_cuda()) << what;
  const at::Tensor moved = found.to(at::kCPU);
  ASSERT_EQ(moved.sizes(), expected.sizes()) << what;
  EXPECT_EQ(moved.scalar_type(), expected.scalar_type()) << what;
  EXPECT_TRUE(at::equal(moved, expected)) << what;
}

/// The output and the gradients of all inputs. Own choice of the difference: sums of 100 terms near 1 in float32.
template <typename Compute>
void expect_near_on_device(std::string_view what, const Tensors& inputs, Compute compute) {
  constexpr double difference = 5e-5;
  const auto with_gradients = [&compute](const Tensors& given) {
    Tensors leaves;
    for (const at::Tensor& tensor : given) leaves.push_back(tensor.detach().clone().requires_grad_(true));
    const at::Tensor output = compute(leaves);
    const at::Tensor weights = at::linspace(-1, 1, output.numel()).view(output.sizes()).to(output.device());
    Tensors found = torch::autograd::grad({(output * weights).sum()}, leaves);
    found.push_back(output.detach());
    return found;
  };
  const Tensors expected = with_gradients(inputs);
  const Tensors found = with_gradients(on_device(inputs));
  for (std::size_t place = 0; place < expected.size(); ++place) {
    EXPECT_TRUE(at::allclose(found[place].to(at::kCPU), expected[place], difference, difference))
        << what << ": " << (place + 1 == expected.size() ? "output" : "gradient") << " " << place;
  }
}

}  // namespace stepgate
