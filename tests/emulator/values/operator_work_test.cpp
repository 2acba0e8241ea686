#include "emulator/values/operator_work.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "emulator/values/cpu_scope.h"
#include "emulator/values/host_views.h"
#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

/// A tensor that says that it is on a device, over memory of this program.
class DeviceMemory4 {
 public:
  at::Tensor tensor(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides, std::int64_t offset = 0) {
    at::Tensor made = at::detail::make_tensor<c10::TensorImpl>(
        c10::Storage(storage_), c10::DispatchKeySet(c10::DispatchKey::CUDA), caffe2::TypeMeta::Make<float>());
    made.unsafeGetTensorImpl()->set_sizes_and_strides(c10::IntArrayRef(sizes), c10::IntArrayRef(strides), offset);
    return made;
  }
  std::vector<float> numbers = {1, 2, 3, 4};

 private:
  c10::Storage storage_{c10::Storage::use_byte_size_t(), std::size_t{16},
                        c10::DataPtr(numbers.data(), c10::Device(c10::kCUDA, 0)), nullptr, false};
};

c10::OperatorHandle operator_named(const char* name, const char* overload) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

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

TEST(CpuScope, OperatorsRunWithoutGradientsAndOnOneThread) {
  const int threads = at::get_num_threads();
  at::set_num_threads(2);
  {
    const CpuScope scope;
    EXPECT_EQ(at::get_num_threads(), 1);
    const at::Tensor leaf = at::ones({2});
    EXPECT_FALSE((leaf * 2).requires_grad());
  }
  EXPECT_EQ(at::get_num_threads(), 2);
  EXPECT_TRUE(c10::GradMode::is_enabled());
  at::set_num_threads(threads);
}

TEST(OperatorFacts, OperatorsOfADeviceHaveValuesAndThoseMadeOfOthersAreParts) {
  EXPECT_EQ(facts_of(operator_named("aten::add", "Tensor")).treatment, Treatment::whole);
  EXPECT_EQ(facts_of(operator_named("aten::matmul", "")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::clone", "")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::view", "")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::empty", "memory_format")).treatment, Treatment::parts);
  EXPECT_EQ(facts_of(operator_named("aten::copy_", "")).treatment, Treatment::copying);
  EXPECT_EQ(facts_of(operator_named("aten::nonzero", "")).treatment, Treatment::answered);
  EXPECT_EQ(facts_of(operator_named("aten::index", "Tensor")).treatment, Treatment::reading);
}

TEST(OperatorFacts, AnOperatorWithoutValuesSaysWhy) {
  EXPECT_EQ(facts_of(operator_named("aten::add", "Tensor")).refusal, "");
  EXPECT_EQ(facts_of(operator_named("aten::batch_norm_stats", "")).refusal,
            "it has no kernel for CPUs, and its values are not written by hand");
  EXPECT_NE(facts_of(operator_named("aten::unique_dim", "")).refusal.find("sizes of its results"), std::string::npos);
}

TEST(OperatorFacts, ValuesByHandAreForTheOperatorOfThatNameAlone) {
  EXPECT_NE(facts_of(operator_named("aten::_scaled_dot_product_flash_attention", "")).by_hand, nullptr);
  EXPECT_EQ(facts_of(operator_named("aten::_scaled_dot_product_flash_attention", "quantized")).by_hand, nullptr);
  EXPECT_EQ(facts_of(operator_named("aten::cudnn_batch_norm", "out")).by_hand, nullptr);
}

TEST(OperatorFacts, AnOperatorWithAGeneratorDraws) {
  const OperatorFacts& facts = facts_of(operator_named("aten::uniform_", ""));
  EXPECT_TRUE(facts.draws);
  EXPECT_EQ(facts.generator_at, 3U);
  EXPECT_FALSE(facts_of(operator_named("aten::add", "Tensor")).draws);
}

}  // namespace
}  // namespace stepgate::emulator
