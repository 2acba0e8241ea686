#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "measure/device/cpu/counting_allocator.h"
#include "measure/memory/memory_ledger.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::IsSupersetOf;

MemoryProfile memory_of(const Case& test_case) {
  const auto device = open_device("cpu");
  CaseRun run(test_case, *device, {.steps = test_case.steps});
  run.run(Pass::memory);
  return *run.take_record(Group::exact).memory;
}

std::int64_t sum_of(const MemoryLedger& ledger) {
  std::int64_t sum = 0;
  for (const auto& [kind, bytes] : ledger.bytes) sum += bytes;
  return sum;
}

TEST(TorchMemoryLedger, AddsUpToTheAllocatorsOwnPeakToTheByte) {
  for (const Case& toy : {toy_mlp(), toy_conv(), toy_mlp(Fault::leaks), toy_mlp(Fault::keeps_activation)}) {
    const MemoryProfile memory = memory_of(toy);
    ASSERT_TRUE(memory.ledger);
    EXPECT_EQ(sum_of(*memory.ledger), memory.series.at("peak_allocated_bytes").front());
    EXPECT_EQ(memory.ledger->peak_bytes, memory.series.at("peak_allocated_bytes").front());
  }
}

TEST(TorchMemoryLedger, KnowsParametersGradientsAndOptimizerState) {
  const std::map<std::string, std::int64_t> bytes = memory_of(toy_mlp()).ledger->bytes;
  const std::int64_t parameters = (64 * 64 + 64 + 64 * 10 + 10) * 4;
  EXPECT_EQ(bytes.at("parameters"), parameters);
  EXPECT_EQ(bytes.at("gradients"), parameters);
  EXPECT_GE(bytes.at("optimizer_state"), 2 * parameters);
  EXPECT_LE(bytes.at("optimizer_state"), 2 * parameters + 4 * 8);
  EXPECT_EQ(bytes.at("setup"), 32 * 64 * 4 + 32 * 8);   // the data, which this toy holds
  EXPECT_EQ(bytes.at("inputs"), 32 * 64 * 4 + 32 * 8);  // and its copy
}

TEST(TorchMemoryLedger, WhatLeaksFromForwardIsActivations) {
  const auto before = memory_of(toy_mlp()).ledger->bytes;
  const auto after = memory_of(toy_mlp(Fault::leaks)).ledger->bytes;
  EXPECT_GE(after.at("activations"), before.count("activations") == 0 ? 0 : before.at("activations") + 5 * 400);
  EXPECT_EQ(after.count("workspace"), before.count("workspace"));
}

TEST(TorchMemoryLedger, CpuKnowsRequestedBytesAlone) {
  const MemoryProfile memory = memory_of(toy_mlp());
  EXPECT_FALSE(memory.ledger->fragmentation_bytes);
  EXPECT_EQ(memory.ledger->bytes.count("rounding"), 0U);
  EXPECT_FALSE(memory.series.contains("reserved_bytes"));
  EXPECT_FALSE(memory.by_boundary.at("backward").active_bytes);
  EXPECT_GT(memory.by_boundary.at("backward").allocated_bytes, 0);
}

TEST(TorchMemoryLedger, TracingChangesNoFigureOfThePass) {
  const MemoryProfile first = memory_of(toy_mlp());
  const MemoryProfile second = memory_of(toy_mlp());
  EXPECT_EQ(first.series.at("resident_bytes"), second.series.at("resident_bytes"));
  EXPECT_EQ(first.ledger->bytes, second.ledger->bytes);
  EXPECT_EQ(first.timeline.size(), second.timeline.size());
}

TEST(CountingAllocatorTrace, BeginsWithWhatIsLiveAndEndsWhenTold) {
  CountingScope scope;
  const torch::Tensor before = torch::empty({100}, torch::kUInt8);
  MemoryTrace trace;
  scope.allocator().follow(&trace);
  { const torch::Tensor during = torch::empty({7}, torch::kUInt8); }
  scope.allocator().follow(nullptr);
  const torch::Tensor after = torch::empty({9}, torch::kUInt8);
  std::vector<std::int64_t> sizes;
  for (const TracedBlock& block : trace.blocks()) sizes.push_back(block.bytes);
  EXPECT_THAT(sizes, IsSupersetOf({100, 7}));
  EXPECT_THAT(sizes, testing::Not(testing::Contains(9)));
  EXPECT_EQ(trace.changes().back().bytes, -7);
}

TEST(CountingAllocatorTrace, SumsToWhatTheCountersSayOverAllThreads) {
  CountingScope scope;
  CountingAllocator& allocator = scope.allocator();
  MemoryTrace trace;
  allocator.follow(&trace);
  trace.enter({0, Boundary::forward});
  allocator.reset_peak();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int repeat = 0; repeat < 500; ++repeat) torch::empty({16 + i});
    });
  }
  for (std::thread& thread : threads) thread.join();
  allocator.follow(nullptr);
  EXPECT_EQ(peak_of(trace).live_bytes, allocator.stats().peak_allocated_bytes);
  std::int64_t live = 0;
  for (const MemoryChange& change : trace.changes()) live += change.bytes;
  EXPECT_EQ(live, allocator.stats().allocated_bytes);
}

}  // namespace
}  // namespace stepgate
