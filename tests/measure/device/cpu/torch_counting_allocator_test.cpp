#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "measure/device/cpu/counting_allocator.h"

namespace stepgate {
namespace {

TEST(CountingAllocator, CountsRequestedBytesExactly) {
  CountingScope scope;
  const MemoryStats before = scope.allocator().stats();
  {
    const torch::Tensor odd = torch::empty({7}, torch::kUInt8);
    const MemoryStats during = scope.allocator().stats();
    EXPECT_EQ(during.allocations - before.allocations, 1);
    EXPECT_EQ(during.requested_bytes - before.requested_bytes, 7);
    EXPECT_EQ(during.allocated_bytes - before.allocated_bytes, 7);
  }
  EXPECT_EQ(scope.allocator().stats().allocated_bytes, before.allocated_bytes);
}

TEST(CountingAllocator, KeepsThePeakUntilReset) {
  CountingScope scope;
  CountingAllocator& allocator = scope.allocator();
  allocator.reset_peak();
  const std::int64_t base = allocator.stats().allocated_bytes;
  { const torch::Tensor large = torch::empty({1000}, torch::kUInt8); }
  { const torch::Tensor small = torch::empty({10}, torch::kUInt8); }
  EXPECT_EQ(allocator.stats().peak_allocated_bytes, base + 1000);
  allocator.reset_peak();
  EXPECT_EQ(allocator.stats().peak_allocated_bytes, base);
}

TEST(CountingAllocator, SeesAllThreads) {
  CountingScope scope;
  const std::int64_t before = scope.allocator().stats().allocations;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int repeat = 0; repeat < 1000; ++repeat) torch::empty({16});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(scope.allocator().stats().allocations - before, 4000);
}

TEST(CountingAllocator, RunsWhatOneDnnRuns) {
  CountingScope scope;
  torch::nn::Sequential net(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 3)), torch::nn::BatchNorm2d(8),
                            torch::nn::GELU());
  const torch::Tensor loss = net->forward(torch::randn({2, 3, 16, 16})).square().mean();
  loss.backward();
  EXPECT_TRUE(net->parameters().front().grad().isfinite().all().item<bool>());
}

TEST(CountingAllocator, SupportsTheRawInterface) {
  CountingScope scope;
  const std::int64_t before = scope.allocator().stats().allocated_bytes;
  void* const block = c10::GetCPUAllocator()->raw_allocate(100);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0U);
  EXPECT_EQ(scope.allocator().stats().allocated_bytes - before, 100);
  c10::GetCPUAllocator()->raw_deallocate(block);
  EXPECT_EQ(scope.allocator().stats().allocated_bytes, before);
}

TEST(CountingAllocator, BlocksSurviveAChangeOfAllocatorEitherWay) {
  void* const stock_block = c10::GetCPUAllocator()->raw_allocate(100);
  void* counted_block = nullptr;
  torch::Tensor outlives;
  {
    CountingScope scope;
    const std::int64_t before = scope.allocator().stats().allocated_bytes;
    c10::GetCPUAllocator()->raw_deallocate(stock_block);
    EXPECT_EQ(scope.allocator().stats().allocated_bytes, before);
    counted_block = c10::GetCPUAllocator()->raw_allocate(100);
    outlives = torch::ones({4});
  }
  c10::GetCPUAllocator()->raw_deallocate(counted_block);
  EXPECT_EQ(outlives.sum().item<float>(), 4);
}

TEST(CountingAllocator, TimedProcessesKeepTheStockAllocator) {
  std::int64_t counted = 0;
  {
    CountingScope scope;
    counted = scope.allocator().stats().allocations;
  }
  torch::empty({16});
  CountingScope scope;
  EXPECT_EQ(scope.allocator().stats().allocations, counted);
}

}  // namespace
}  // namespace stepgate
