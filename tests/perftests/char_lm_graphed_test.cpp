#include "language/char_lm_graphed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

// A graph runs the kernels of the eager step. The gradient of the embedding adds up in an order that varies.
constexpr double graphed_loss_rtol = 1e-4;

CaseContext context_on(const torch::Device& device) {
  torch::manual_seed(3);  // as the harness does before it calls a factory
  CaseContext context;
  context.device = device;
  context.seed = 3;
  return context;
}

Batch on_device(Batch batch, const torch::Device& device) {
  for (torch::Tensor& tensor : batch.tensors) tensor = tensor.to(device);
  return batch;
}

TEST(CharLmGraphed, IsBuiltWithoutAGpuAndSaysWhatItNeeds) {
  CharLmGraphed workload(context_on(torch::kCPU), tiny_char_lm(), synthetic_sources());
  EXPECT_EQ(workload.graphs()->captures, 0);
  try {
    workload.step(workload.next_batch());
    FAIL() << "a CUDA graph on a CPU";
  } catch (const std::runtime_error& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("CUDA"));
  }
}

TEST(CharLmGraphed, HasMetAllLengthsTwiceWhenCountingBegins) {
  CharLm workload(context_on(torch::kCPU), tiny_char_lm(), synthetic_sources());
  std::multiset<std::int64_t> lengths;
  for (int step = 0; step < char_lm_steps_until_recorded; ++step)
    lengths.insert(workload.next_batch().tensors[0].size(1));
  const std::set<std::int64_t> different(lengths.begin(), lengths.end());
  EXPECT_EQ(different.size(), 3U);
  for (const std::int64_t length : different) {
    EXPECT_GT(static_cast<std::int64_t>(lengths.count(length)), char_lm_graph_warm_up) << length;
  }
}

TEST(CharLmGraphed, TrainsAsTheEagerStep) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device is visible to this process";
  const torch::Device gpu(torch::kCUDA, 0);
  CharLm eager(context_on(gpu), tiny_char_lm(), synthetic_sources());
  eager.fuse_optimizer();
  CharLmGraphed graphed(context_on(gpu), tiny_char_lm(), synthetic_sources());
  for (int step = 0; step < 30; ++step) {
    const torch::Tensor expected = eager.forward(on_device(eager.next_batch(), gpu));
    eager.backward(expected);
    eager.optimizer_step();
    const double loss = graphed.step(on_device(graphed.next_batch(), gpu)).item<double>();
    EXPECT_NEAR(loss, expected.item<double>(), graphed_loss_rtol * std::abs(loss)) << "step " << step;
  }
  EXPECT_EQ(graphed.graphs()->captures, 3) << "one for each length";
}

}  // namespace
}  // namespace stepgate
