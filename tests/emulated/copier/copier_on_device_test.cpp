// Each wait of the copier orders something: where a stream is slow, losses are those of the CPU only with that wait.
// tests/lab/mutations.json takes each of them out. Two waits have no test here. A copy from pageable memory reads its
// source before the call returns, whether or not the host waits for its end (CUDA Runtime API, "API synchronization
// behavior"), so no value depends on that wait. And what DeviceQueue::copy_to_host() notes is no part of a batch.
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "measure/device/cuda/cuda_copier.h"
#include "measure/device/cuda/cuda_queue.h"

namespace stepgate {
namespace {

constexpr int steps = 8;
constexpr std::int64_t least_rows = 8;
constexpr std::int64_t features = 64;
constexpr std::int64_t busy_ns = 1'000'000;  // longer than the 20 calls of a step, which take 4 us each

/// Page-locked memory that LibTorch's pool does not know. Its owner uses it again as soon as a tensor over it is gone.
class RegisteredMemory {
 public:
  RegisteredMemory() : numbers_(steps * steps * least_rows * (features + 1)) {
    C10_CUDA_CHECK(cudaHostRegister(numbers_.data(), numbers_.size() * sizeof(float), cudaHostRegisterDefault));
  }
  ~RegisteredMemory() { static_cast<void>(cudaHostUnregister(numbers_.data())); }
  RegisteredMemory(const RegisteredMemory&) = delete;
  RegisteredMemory& operator=(const RegisteredMemory&) = delete;

  torch::Tensor copy_of(const torch::Tensor& tensor) {
    const std::int64_t count = tensor.numel();
    float* const begin = numbers_.data() + used_;
    used_ += count;
    std::copy_n(tensor.data_ptr<float>(), count, begin);
    const auto use_again = [begin, count](void*) { std::fill_n(begin, count, 1000.0F); };
    return torch::from_blob(begin, tensor.sizes(), use_again, torch::TensorOptions().dtype(torch::kFloat));
  }

 private:
  std::vector<float> numbers_;
  std::int64_t used_ = 0;
};

enum class Sources { pool, registered };

struct Scenario {
  std::optional<Stream> slow = std::nullopt;
  bool grows = false;  ///< each batch has more rows than the one before, so each copy needs new buffers
  Sources sources = Sources::pool;
};

std::int64_t rows_of(const Scenario& scenario, int step) {
  return scenario.grows ? least_rows * (step + 1) : least_rows;
}

std::vector<torch::Tensor> batch_of(const Scenario& scenario, int step) {
  const std::int64_t rows = rows_of(scenario, step);
  const auto numbers = torch::TensorOptions().dtype(torch::kFloat);
  return {torch::sin(torch::arange(rows * features, numbers) * (step + 1)).view({rows, features}),
          torch::sin(torch::arange(rows, numbers) + step).view({rows, 1})};
}

std::vector<torch::Tensor> pinned(const std::vector<torch::Tensor>& batch, Sources sources, RegisteredMemory& memory) {
  std::vector<torch::Tensor> found;
  for (const torch::Tensor& tensor : batch) {
    found.push_back(sources == Sources::registered ? memory.copy_of(tensor) : tensor.pin_memory());
  }
  return found;
}

/// A step of a linear regression. `scratch_rows`: of memory that is as large as the next inputs, and that the allocator
/// may give to them when this step is queued and not yet done.
torch::Tensor step_loss(torch::Tensor& weights, const std::vector<torch::Tensor>& batch, std::int64_t scratch_rows) {
  const torch::Tensor errors = batch[0].mm(weights) - batch[1];
  const torch::Tensor scratch = torch::full({scratch_rows, features}, 3.0, weights.options());
  const torch::Tensor loss = (errors * errors).mean() + scratch.mean();
  weights = weights - batch[0].t().mm(errors) * (0.5 / static_cast<double>(batch[0].size(0)));
  return loss;
}

torch::Tensor losses_on_cpu(const Scenario& scenario) {
  torch::Tensor weights = torch::zeros({features, 1});
  std::vector<torch::Tensor> losses;
  for (int step = 0; step < steps; ++step) {
    losses.push_back(step_loss(weights, batch_of(scenario, step), rows_of(scenario, step + 1)));
  }
  return torch::stack(losses);
}

/// No step waits for its device, so the host is ahead of the streams. The copier is gone before they are done.
torch::Tensor losses_on_gpu(const Scenario& scenario) {
  const CudaStreams streams = open_cuda_streams(0);
  RegisteredMemory memory;
  const std::unique_ptr<DeviceQueue> queue = make_cuda_queue(streams);
  std::unique_ptr<BatchCopier> copier = make_cuda_copier(*queue);
  torch::Tensor weights = torch::zeros({features, 1}, torch::TensorOptions().device(streams.compute.device()));
  queue->synchronize();
  std::vector<torch::Tensor> losses;
  for (int step = 0; step < steps; ++step) {
    if (scenario.slow == Stream::copy) queue->occupy(Stream::copy, busy_ns);
    const std::vector<torch::Tensor> batch = copier->copy(pinned(batch_of(scenario, step), scenario.sources, memory));
    if (scenario.slow == Stream::compute) queue->occupy(Stream::compute, busy_ns);
    losses.push_back(step_loss(weights, batch, rows_of(scenario, step + 1)));
    copier->step_enqueued();
  }
  copier.reset();
  return torch::stack(losses).to(torch::kCPU);
}

/// Own choice of the difference: sums of 512 products of numbers near 1 in float32.
void expect_losses_of_the_cpu(const Scenario& scenario) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor expected = losses_on_cpu(scenario);
  const torch::Tensor found = losses_on_gpu(scenario);
  EXPECT_TRUE(torch::allclose(found, expected, 1e-5, 1e-5)) << found << "\nof the CPU:\n" << expected;
}

TEST(CopierOnDevice, AStepWaitsForItsBatch) { expect_losses_of_the_cpu({.slow = Stream::copy}); }

TEST(CopierOnDevice, ACopyWaitsForTheStepThatReadsItsBuffers) { expect_losses_of_the_cpu({.slow = Stream::compute}); }

TEST(CopierOnDevice, ACopyToNewBuffersWaitsForWhatUsedTheirMemory) {
  expect_losses_of_the_cpu({.slow = Stream::compute, .grows = true});
}

TEST(CopierOnDevice, ThePoolOfPinnedMemoryWaitsForTheCopy) {
  expect_losses_of_the_cpu({.slow = Stream::copy, .grows = false, .sources = Sources::pool});
  expect_losses_of_the_cpu({.slow = Stream::copy, .grows = true, .sources = Sources::pool});
}

TEST(CopierOnDevice, OtherPinnedMemoryIsKeptUntilItIsCopied) {
  expect_losses_of_the_cpu({.slow = Stream::copy, .sources = Sources::registered});
}

TEST(CopierOnDevice, AnIdleDeviceHasTheSameLosses) { expect_losses_of_the_cpu({}); }

}  // namespace
}  // namespace stepgate
