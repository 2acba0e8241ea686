// Values come in the order of the streams.
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/cuda/Sleep.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <optional>
#include <thread>

#include "emulated/values/device_comparison.h"

namespace stepgate {
namespace {

constexpr std::int64_t sleep_cycles = 10'000'000;  // some milliseconds of virtual time

/// What a second stream reads of a tensor that the first one fills late.
float read_of_second_stream(bool with_wait) {
  const at::Tensor numbers = at::zeros({4}, at::kCUDA);
  c10::cuda::device_synchronize();
  const c10::cuda::CUDAStream first = c10::cuda::getStreamFromPool();
  const c10::cuda::CUDAStream second = c10::cuda::getStreamFromPool();
  at::cuda::CUDAEvent filled;
  {
    const c10::cuda::CUDAStreamGuard on_first(first);
    at::cuda::sleep(sleep_cycles);
    numbers.fill_(5);
    filled.record(first);
  }
  const c10::cuda::CUDAStreamGuard on_second(second);
  if (with_wait) filled.block(second);
  const at::Tensor read = numbers + 0;
  const float found = read[0].item<float>();
  c10::cuda::device_synchronize();  // the first stream still writes
  return found;
}

TEST(OrderOnDevice, AWaitThatIsMissingGivesOldValues) {
  EXPECT_EQ(read_of_second_stream(true), 5);
  EXPECT_EQ(read_of_second_stream(false), 0);
}

TEST(OrderOnDevice, AGraphComputesAtEachReplay) {
  const at::Tensor input = at::ones({4}, at::kCUDA);
  at::Tensor output;
  at::cuda::CUDAGraph graph;
  {
    const c10::cuda::CUDAStreamGuard captured(c10::cuda::getStreamFromPool());
    graph.capture_begin();
    output = input * 3 + 1;
    graph.capture_end();
  }
  input.fill_(2);
  c10::cuda::device_synchronize();
  graph.replay();
  EXPECT_EQ(output[0].item<float>(), 7);
  input.fill_(5);
  graph.replay();
  EXPECT_EQ(output[0].item<float>(), 16);
}

TEST(OrderOnDevice, EachReplayDrawsOtherNumbers) {
  at::Tensor output = at::empty({100}, at::kCUDA);
  at::cuda::CUDAGraph graph;
  {
    const c10::cuda::CUDAStreamGuard captured(c10::cuda::getStreamFromPool());
    graph.capture_begin();
    output.uniform_();
    graph.capture_end();
  }
  graph.replay();
  const at::Tensor one = output.to(at::kCPU);
  graph.replay();
  const at::Tensor other = output.to(at::kCPU);
  EXPECT_GT(one.min().item<float>(), -0.001);
  EXPECT_FALSE(at::equal(one, other));
}

TEST(OrderOnDevice, ACheckpointedBlockDrawsItsMaskAgain) {
  at::Generator generator = at::cuda::detail::getDefaultCUDAGenerator();
  const at::Tensor input = at::ones({200}, at::kCUDA);
  const at::Tensor state = generator.get_state();
  const at::Tensor first = at::dropout(input, 0.5, true).to(at::kCPU);
  const at::Tensor next = at::dropout(input, 0.5, true).to(at::kCPU);
  generator.set_state(state);
  EXPECT_TRUE(at::equal(at::dropout(input, 0.5, true).to(at::kCPU), first));
  EXPECT_FALSE(at::equal(next, first));
}

TEST(OrderOnDevice, OperatorsOfAnotherThreadHaveValues) {
  float found = 0;
  std::thread worker([&found] {
    const at::Tensor numbers = at::ones({4}, at::kCUDA);
    found = (numbers + 1).sum().item<float>();
  });
  worker.join();
  EXPECT_EQ(found, 8);
}

TEST(OrderOnDevice, MemoryThatIsUsedAgainKeepsItsOrder) {
  at::Tensor sum = at::zeros({1000}, at::kCUDA);
  for (int step = 1; step <= 50; ++step) {
    const at::Tensor scratch = at::full({1000}, step, at::TensorOptions(at::kCUDA).dtype(at::kFloat));
    sum.add_(scratch);  // the next step has the same memory
  }
  EXPECT_EQ(sum[999].item<float>(), 1275);
}

}  // namespace
}  // namespace stepgate
