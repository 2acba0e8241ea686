// A workload that keeps its batches: what it keeps must stay as it was loaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/device/cpu/cpu_copier.h"
#include "measure/device/device_side.h"
#include "measure/step/torch_whole_step.h"

namespace stepgate {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kept_rows = 6;

torch::Tensor loaded_in(std::int64_t step) {
  return torch::full({kept_rows}, static_cast<double>(step), torch::kFloat32);
}

Batch numbered_batch(std::int64_t step) {
  return {.tensors = {loaded_in(step), torch::full({2}, step, torch::kInt64)}, .samples = kept_rows};
}

/// Keeps the first tensor of every batch from step `first` on.
class Keeping final : public Workload {
 public:
  explicit Keeping(std::int64_t first = 0, const torch::Device& device = torch::kCPU)
      : first_(first), weight_(torch::ones({kept_rows}, torch::TensorOptions().device(device).requires_grad(true))) {}
  Batch next_batch() override { return numbered_batch(loads_++); }
  torch::Tensor forward(const Batch& batch) override {
    if (loads_ > first_) kept.push_back(batch.tensors[0]);
    return (weight_ * batch.tensors[0]).sum();
  }
  void optimizer_step() override { weight_.mutable_grad() = torch::Tensor(); }
  std::vector<torch::Tensor> parameters() const override { return {weight_}; }

  std::vector<torch::Tensor> kept;

 private:
  std::int64_t first_;
  std::int64_t loads_ = 0;
  torch::Tensor weight_;
};

void train_one_step(TorchStep& step, std::int64_t number) {
  for (const Boundary boundary : step.boundaries().order()) step.run(boundary, number);
  step.release();
}

std::vector<KeptTensor> kept_by(const TorchStep& step) {
  return step.facts({.group = Group::exact, .steps = StepCounts()}).kept_tensors;
}

TEST(KeptBatch, StaysAsItWasLoaded) {
  Keeping workload;
  const auto copier = make_cpu_copier();
  TorchStep step(workload, *copier);
  for (std::int64_t i = 0; i < 5; ++i) train_one_step(step, i);
  ASSERT_THAT(workload.kept, SizeIs(5));
  for (std::int64_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(workload.kept[static_cast<std::size_t>(i)].equal(loaded_in(i))) << "batch of step " << i;
  }
  const auto kept = kept_by(step);
  ASSERT_THAT(kept, SizeIs(1)) << "the second tensor is not held";
  EXPECT_EQ(kept[0], (KeptTensor{.index = 0, .tensor = "float32[6]", .bytes = 24, .first_step = 0, .times = 5}));
}

TEST(KeptBatch, AViewOfItCountsToo) {
  Keeping workload;
  const auto copier = make_cpu_copier();
  TorchStep step(workload, *copier);
  train_one_step(step, 0);
  workload.kept[0] = workload.kept[0].narrow(0, 0, 2);
  train_one_step(step, 1);
  EXPECT_TRUE(workload.kept[0].equal(loaded_in(0).narrow(0, 0, 2)));
}

TEST(KeptBatch, ABatchThatIsLetGoKeepsItsBuffer) {
  Keeping workload(1000);
  const auto copier = make_cpu_copier();
  TorchStep step(workload, *copier);
  train_one_step(step, 0);
  EXPECT_THAT(kept_by(step), IsEmpty());
  const auto address_of_copy = [&] { return copier->copy(numbered_batch(9).tensors)[0].const_data_ptr(); };
  const void* const address = address_of_copy();
  copier->leave_held(0);
  EXPECT_EQ(address_of_copy(), address);
}

TEST(KeptBatch, SparesAreMadeBeforeTheWindow) {
  DeviceBuffers buffers(torch::kCPU);
  const torch::Tensor held = buffers.shaped_like(torch::ones({3, 2}), 0);
  EXPECT_TRUE(buffers.is_held(0));
  buffers.make_spares(0, 2);
  buffers.replace(0);
  EXPECT_FALSE(buffers.is_held(0));
  EXPECT_NE(buffers.view(0).const_data_ptr(), held.const_data_ptr());
  EXPECT_EQ(buffers.view(0).sizes(), held.sizes());
  EXPECT_EQ(buffers.shaped_like(torch::zeros({3, 2}), 0).const_data_ptr(), buffers.view(0).const_data_ptr());
}

/// Says that its step is a CUDA graph, which reads fixed addresses.
class Graphed final : public WholeStepWorkload {
 public:
  Batch next_batch() override { return numbered_batch(loads_++); }
  torch::Tensor step(const Batch& batch) override {
    kept.push_back(batch.tensors[0]);
    return batch.tensors[0].sum();
  }
  std::vector<torch::Tensor> parameters() const override { return {}; }
  std::optional<GraphFacts> graphs() const override { return GraphFacts{}; }

  std::vector<torch::Tensor> kept;

 private:
  std::int64_t loads_ = 0;
};

TEST(KeptBatch, AGraphGetsTheSameAddressesAndTheReportSaysSo) {
  Graphed workload;
  const auto copier = make_cpu_copier();
  TorchWholeStep step(workload, *copier);
  for (std::int64_t i = 0; i < 3; ++i) train_one_step(step, i);
  EXPECT_EQ(workload.kept[2].const_data_ptr(), workload.kept[0].const_data_ptr());
  const auto kept = kept_by(step);
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_TRUE(kept[0].overwritten);
}

/// These need a GPU.
class KeptBatchOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device is visible to this process";
    side_ = open_device("cuda");
    copier_ = side_->make_copier();
  }

  std::unique_ptr<DeviceSide> side_;
  std::unique_ptr<BatchCopier> copier_;
};

/// The view of another dtype than bytes has a tensor between it and the memory, which is nobody else's.
TEST_F(KeptBatchOnGpu, ABatchThatIsLetGoIsNotHeld) {
  Keeping workload(1000, side_->device());
  TorchStep step(workload, *copier_);
  for (std::int64_t i = 0; i < 5; ++i) train_one_step(step, i);
  EXPECT_THAT(kept_by(step), IsEmpty());
}

TEST_F(KeptBatchOnGpu, StaysAsItWasLoaded) {
  Keeping workload(0, side_->device());
  TorchStep step(workload, *copier_);
  for (std::int64_t i = 0; i < 6; ++i) train_one_step(step, i);
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_TRUE(workload.kept[static_cast<std::size_t>(i)].cpu().equal(loaded_in(i))) << "batch of step " << i;
  }
  const auto kept = kept_by(step);
  ASSERT_THAT(kept, SizeIs(1)) << "the second tensor is not held";
  EXPECT_EQ(kept[0].tensor, "float32[6]");
}

}  // namespace
}  // namespace stepgate
