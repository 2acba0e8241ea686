#include "measure/step/torch_step.h"

#include <gtest/gtest.h>

#include "measure/device/cpu/cpu_copier.h"

namespace stepgate {
namespace {

/// Delivers the given batches and keeps what forward received.
class Scripted final : public Workload {
 public:
  std::vector<torch::Tensor> next;
  std::vector<torch::Tensor> seen;
  int loads = 0;

  Batch next_batch() override {
    ++loads;
    return {.tensors = next, .samples = 3, .padded_tokens = 40, .effective_tokens = 30};
  }
  torch::Tensor forward(const Batch& batch) override {
    seen = batch.tensors;
    return weight_.sum() * batch.tensors[0].sum();
  }
  void optimizer_step() override {}
  std::vector<torch::Tensor> parameters() const override { return {weight_}; }

 private:
  torch::Tensor weight_ = torch::ones({2}, torch::requires_grad());
};

struct TorchStepTest : testing::Test {
  Scripted workload;
  std::unique_ptr<BatchCopier> copier = make_cpu_copier();
  TorchStep step{workload, *copier};

  void run() {
    for (const Boundary boundary : {Boundary::data_wait, Boundary::h2d, Boundary::forward}) step.run(boundary, 0);
  }
};

TEST_F(TorchStepTest, ForwardGetsCopiesInAFixedBuffer) {
  workload.next = {torch::arange(6).to(torch::kFloat32).view({2, 3})};
  run();
  const void* const buffer = workload.seen[0].const_data_ptr();
  EXPECT_NE(buffer, workload.next[0].const_data_ptr());
  EXPECT_TRUE(workload.seen[0].equal(workload.next[0]));
  workload.seen.clear();  // a batch that is held keeps its memory (torch_kept_batch_test)
  step.release();
  workload.next = {torch::full({2, 3}, 5.0F)};
  run();
  EXPECT_EQ(workload.seen[0].const_data_ptr(), buffer);
  EXPECT_TRUE(workload.seen[0].equal(workload.next[0]));
}

TEST_F(TorchStepTest, BufferFollowsShapeAndType) {
  for (const torch::Tensor& tensor : {torch::ones({4}), torch::ones({2, 1}), torch::ones({3, 5}),
                                      torch::ones({2}, torch::kInt64), torch::ones({0})}) {
    workload.next = {tensor};
    run();
    EXPECT_EQ(workload.seen[0].sizes(), tensor.sizes());
    EXPECT_EQ(workload.seen[0].scalar_type(), tensor.scalar_type());
    EXPECT_TRUE(workload.seen[0].equal(tensor));
    step.release();
  }
}

TEST_F(TorchStepTest, TellsWhatTheBatchCountsFor) {
  workload.next = {torch::ones({2, 3}), torch::ones({4}, torch::kInt64)};
  step.run(Boundary::data_wait, 0);
  const BatchInfo info = step.batch_info();
  EXPECT_EQ(info.samples, 3);
  EXPECT_EQ(info.padded_tokens, 40);
  EXPECT_EQ(info.effective_tokens, 30);
  EXPECT_EQ(info.h2d_copies, 2);
  EXPECT_EQ(info.h2d_bytes, 2 * 3 * 4 + 4 * 8);
}

TEST_F(TorchStepTest, ResidentBatchIsLoadedAndCopiedOnce) {
  workload.next = {torch::ones({2})};
  step.keep_batch(true);
  for (int i = 0; i < 3; ++i) {
    run();
    step.release();
  }
  EXPECT_EQ(workload.loads, 1);
  EXPECT_EQ(step.batch_info().h2d_copies, 0);
  EXPECT_EQ(step.batch_info().samples, 3);
}

TEST_F(TorchStepTest, ReleaseDropsLossAndBatch) {
  workload.next = {torch::ones({2})};
  run();
  step.release();
  EXPECT_FALSE(step.loss().defined());
  EXPECT_EQ(workload.next[0].use_count(), 1U);
}

TEST(ShapeHash, DiffersWhereShapeTypeOrOrderDiffers) {
  const std::vector<std::vector<torch::Tensor>> batches = {{torch::ones({2, 3})},
                                                           {torch::ones({3, 2})},
                                                           {torch::ones({6})},
                                                           {torch::ones({2, 3}, torch::kInt64)},
                                                           {torch::ones({2}), torch::ones({3})},
                                                           {torch::ones({3}), torch::ones({2})}};
  std::set<std::uint64_t> hashes;
  for (const auto& batch : batches) hashes.insert(shape_hash(batch));
  EXPECT_EQ(hashes.size(), batches.size());
  EXPECT_EQ(shape_hash({torch::ones({2, 3})}), shape_hash({torch::zeros({2, 3})}));
  EXPECT_EQ(sizes_text({torch::ones({2, 3}), torch::ones({4}, torch::kLong)}), "float32[2, 3], int64[4]");
  EXPECT_EQ(sizes_text({}), "");
}

}  // namespace
}  // namespace stepgate
