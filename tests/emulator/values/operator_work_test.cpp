#include "emulator/values/operator_work.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulator/values/device_tensor.h"
#include "emulator/values/host_views.h"

namespace stepgate::emulator {
namespace {

TEST(OperatorWork, WritesInPlaceToTheMemory) {
  DeviceMemory4 memory;
  const c10::OperatorHandle op = operator_named("aten::add_", "Tensor");
  HostViews views;
  const Values given = {memory.tensor({2}, {2}), memory.tensor({2}, {1}, 2), 10};
  const OperatorWork work{.op = op, .facts = facts_of(op), .arguments = views.arguments(op.schema(), given)};
  EXPECT_EQ(run(work), "");
  EXPECT_EQ(memory.numbers, (std::vector<float>{31, 2, 43, 4}));
}

TEST(OperatorWork, WritesNewResultsInTheirTypeAndLayout) {
  DeviceMemory4 memory;
  const c10::OperatorHandle op = operator_named("aten::add", "Tensor");
  const at::Tensor two = at::full({2}, 2.0, at::kDouble);
  const OperatorWork work{.op = op,
                          .facts = facts_of(op),
                          .arguments = {two, two, 1},
                          .outputs = HostViews().results(op.schema(), Values{memory.tensor({2}, {2}, 1)})};
  EXPECT_EQ(run(work), "");
  EXPECT_EQ(memory.numbers, (std::vector<float>{1, 4, 3, 4}));
}

TEST(OperatorWork, SaysWhichSizesDoNotFit) {
  DeviceMemory4 memory;
  const c10::OperatorHandle op = operator_named("aten::add", "Tensor");
  const OperatorWork work{.op = op,
                          .facts = facts_of(op),
                          .arguments = {at::ones({3}), at::ones({3}), 1},
                          .outputs = HostViews().results(op.schema(), Values{memory.tensor({2}, {1})})};
  EXPECT_EQ(run(work), "a result has the sizes [2] on the device and [3] on the CPU");
}

TEST(OperatorWork, DropsNoValueForWhichTheDeviceHasNoPlace) {
  DeviceMemory4 memory;
  const c10::OperatorHandle op = operator_named("aten::add", "Tensor");
  const at::Tensor three = at::ones({3});
  const OperatorWork no_room{.op = op,
                             .facts = facts_of(op),
                             .arguments = {three, three, 1},
                             .outputs = HostViews().results(op.schema(), Values{memory.tensor({0}, {1})})};
  EXPECT_EQ(run(no_room), "a result has the sizes [0] on the device and [3] on the CPU");
  const at::Tensor none = at::ones({0});
  const OperatorWork no_values{.op = op,
                               .facts = facts_of(op),
                               .arguments = {none, none, 1},
                               .outputs = HostViews().results(op.schema(), Values{memory.tensor({2}, {1})})};
  EXPECT_EQ(run(no_values), "a result has the sizes [2] on the device and [0] on the CPU");
}

TEST(OperatorWork, SaysHowManyTensorsOfAListDoNotFit) {
  DeviceMemory4 memory;
  const c10::OperatorHandle op = operator_named("aten::split_with_sizes_copy", "");
  const c10::List<at::Tensor> one({memory.tensor({2}, {1})});
  const OperatorWork work{.op = op,
                          .facts = facts_of(op),
                          .arguments = {at::ones({4}), std::vector<std::int64_t>{2, 2}, 0},
                          .outputs = Values{one}};
  EXPECT_EQ(run(work), "there are 1 tensors of a result on the device and 2 on the CPU");
}

TEST(OperatorWork, SaysWhatLibTorchSays) {
  const c10::OperatorHandle op = operator_named("aten::mm", "");
  const OperatorWork work{.op = op, .facts = facts_of(op), .arguments = {at::ones({2, 3}), at::ones({2, 3})}};
  EXPECT_NE(run(work).find("mat1 and mat2 shapes cannot be multiplied"), std::string::npos);
}

TEST(OperatorWork, ComputesKnownValuesOnce) {
  DeviceMemory4 memory;
  const c10::OperatorHandle op = operator_named("aten::add", "Tensor");
  const OperatorWork work{.op = op,
                          .facts = facts_of(op),
                          .arguments = {},
                          .outputs = HostViews().results(op.schema(), Values{memory.tensor({2}, {1})}),
                          .values = Values{at::full({2}, 7.0)}};
  EXPECT_EQ(run(work), "");
  EXPECT_EQ(memory.numbers, (std::vector<float>{7, 7, 3, 4}));
}

TEST(OperatorWork, TheAnswerIsTheRowsOrTheBool) {
  EXPECT_EQ(answer_of({at::ones({5, 2})}), 5);
  EXPECT_EQ(answer_of({true}), 1);
  EXPECT_EQ(answer_of({false}), 0);
}

}  // namespace
}  // namespace stepgate::emulator
