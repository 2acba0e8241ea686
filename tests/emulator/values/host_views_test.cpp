#include "emulator/values/host_views.h"

#include <gtest/gtest.h>

#include <vector>

#include "emulator/values/device_tensor.h"

namespace stepgate::emulator {
namespace {

TEST(HostViews, HaveTheSizesStridesAndOffsetOfTheirTensors) {
  DeviceMemory4 memory;
  HostViews views;
  const at::Tensor view = views.of(memory.tensor({1, 2}, {9, 2}, 1));
  EXPECT_TRUE(view.is_cpu());
  EXPECT_EQ(view.sizes(), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(view.strides(), (std::vector<std::int64_t>{9, 2}));
  EXPECT_EQ(view.storage_offset(), 1);
  EXPECT_EQ(view[0][0].item<float>(), 2);
  memory.numbers[3] = 8;
  EXPECT_EQ(view[0][1].item<float>(), 8);
}

TEST(HostViews, OfOneStorageAreOfOneStorage) {
  DeviceMemory4 memory;
  HostViews views;
  const at::Tensor all = memory.tensor({4}, {1});
  EXPECT_TRUE(views.of(all).is_same(views.of(all)));
  EXPECT_TRUE(views.of(all).is_alias_of(views.of(memory.tensor({2}, {1}, 2))));
}

TEST(HostViews, DoNotKeepTheTensor) {
  DeviceMemory4 memory;
  HostViews views;
  const at::Tensor tensor = memory.tensor({4}, {1});
  const at::Tensor view = views.of(tensor);
  EXPECT_EQ(tensor.use_count(), 1U);
}

TEST(HostViews, ArgumentsOfTheHostAreCopiedUnlessTheyAreWritten) {
  const c10::FunctionSchema& schema = operator_named("aten::add_", "Tensor").schema();
  const at::Tensor written = at::ones({2});
  const at::Tensor read = at::ones({2});
  const std::vector<c10::IValue> found = HostViews().arguments(schema, std::vector<c10::IValue>{written, read, 1});
  EXPECT_EQ(found.at(0).toTensor().data_ptr(), written.data_ptr());
  EXPECT_NE(found.at(1).toTensor().data_ptr(), read.data_ptr());
}

}  // namespace
}  // namespace stepgate::emulator
