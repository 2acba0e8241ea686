#include "emulator/values/operator_accesses.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

#include "emulator/values/device_tensor.h"

namespace stepgate::emulator {
namespace {

MemoryAccesses host_accesses(const c10::OperatorHandle& op, torch::jit::Stack stack) {
  OperatorAccesses accesses(op, stack);
  op.callBoxed(&stack);
  accesses.add_results(stack);
  EXPECT_FALSE(accesses.has_device_tensor());
  EXPECT_TRUE(accesses.on_device().empty());
  return accesses.on_host();
}

TEST(OperatorAccesses, ReadsItsArgumentsAndWritesItsResult) {
  const at::Tensor one = at::ones({4});
  const at::Tensor other = at::ones({4});
  const MemoryAccesses found = host_accesses(operator_named("aten::add", "Tensor"), {one, other, 1});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].begin, one.data_ptr());
  EXPECT_FALSE(found[0].writes);
  EXPECT_EQ(found[1].begin, other.data_ptr());
  EXPECT_TRUE(found[2].writes);
}

TEST(OperatorAccesses, WritesInPlace) {
  const at::Tensor numbers = at::ones({4});
  for (const MemoryAccess& access : host_accesses(operator_named("aten::fill_", "Scalar"), {numbers, 2})) {
    EXPECT_EQ(access.begin, numbers.data_ptr());
    EXPECT_TRUE(access.writes);
  }
}

TEST(OperatorAccesses, ReadsEachTensorOfAList) {
  const std::vector<at::Tensor> parts = {at::ones({4}), at::ones({4})};
  EXPECT_EQ(host_accesses(operator_named("aten::cat", ""), {parts, 0}).size(), 3U);
}

TEST(OperatorAccesses, ReadsTheNumberOfItem) {
  EXPECT_EQ(host_accesses(operator_named("aten::_local_scalar_dense", ""), {at::ones({})}).size(), 1U);
}

TEST(OperatorAccesses, AViewAndAnAllocationHaveNone) {
  const at::Tensor numbers = at::ones({2, 2});
  EXPECT_TRUE(host_accesses(operator_named("aten::t", ""), {numbers}).empty());
  EXPECT_TRUE(host_accesses(operator_named("aten::alias", ""), {numbers}).empty());
  EXPECT_TRUE(host_accesses(operator_named("aten::is_set_to", ""), {numbers, numbers}).empty());
}

}  // namespace
}  // namespace stepgate::emulator
