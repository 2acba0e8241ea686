#include "measure/passes/exact/step_end_counters.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "measure/device/fake/fake_backend.h"
#include "measure/memory/memory_trace.h"

namespace stepgate {
namespace {

/// A heap whose statistics include only some block sizes.
struct PlayedHeap {
  std::size_t smallest = 0;
  std::size_t largest = std::numeric_limits<std::size_t>::max();
  bool sees_releases = true;
  std::int64_t in_use = 1000;
  std::size_t size = 0;

  HeapProbe probe() {
    return {.in_use = [this] { return in_use; },
            .allocate =
                [this](std::size_t bytes) {
                  size = bytes;
                  if (bytes >= smallest && bytes <= largest) in_use += static_cast<std::int64_t>(bytes) + 16;
                  return static_cast<void*>(this);
                },
            .release =
                [this](void*) {
                  if (sees_releases) in_use = 1000;
                }};
  }
};

TEST(HostHeap, StatisticsMustFollowSmallAndLargeBlocksBothWays) {
  EXPECT_TRUE(follows_malloc(PlayedHeap{}.probe()));
  PlayedHeap blind{.smallest = std::numeric_limits<std::size_t>::max()};
  EXPECT_FALSE(follows_malloc(blind.probe())) << "another malloc serves the process";
  PlayedHeap without_small{.smallest = 1024 * 1024};
  EXPECT_FALSE(follows_malloc(without_small.probe()));
  PlayedHeap without_large{.largest = 1024 * 1024};
  EXPECT_FALSE(follows_malloc(without_large.probe()));
  PlayedHeap only_rises{.sees_releases = false};
  EXPECT_FALSE(follows_malloc(only_rises.probe()));
}

/// The host heap as on a GPU case, with the whole process in it; -1 if the process uses another malloc.
std::int64_t heap_now() {
  FakeBackend backend;
  MemoryProfile profile;
  StepEndCounters(backend).end_step(profile);
  return profile.absent.contains("host_heap_bytes") ? -1 : profile.series.at("host_heap_bytes").back();
}

TEST(HostHeap, RisesAndFallsWithAVector) {
  const std::int64_t before = heap_now();
  if (before < 0) GTEST_SKIP() << "not glibc's malloc";
  constexpr std::int64_t size = 256 * 1024;
  auto block = std::make_unique<std::vector<char>>(size);
  EXPECT_NEAR(static_cast<double>(heap_now() - before), size, 8192);
  block.reset();
  EXPECT_LT(heap_now() - before, 8192);
}

TEST(HostHeap, DoesNotHoldTheTraceOfTheMemoryPass) {
  const std::int64_t before = heap_now();
  if (before < 0) GTEST_SKIP() << "not glibc's malloc";
  MemoryTrace trace;
  for (MemoryTrace::Address address = 1; address <= 20'000; ++address) trace.allocate(address, 64);
  trace.enter({0, Boundary::forward});
  for (MemoryTrace::Address address = 1; address <= 10'000; ++address) trace.release(address);
  EXPECT_EQ(trace.changes().size(), 30'000U);
  EXPECT_LT(heap_now() - before, 4096);
}

TEST(HostHeap, LeavesOutTheTensorsOfACpuCase) {
  if (heap_now() < 0) GTEST_SKIP() << "not glibc's malloc";
  FakeBackend backend({.simulated_h2d = true});
  StepEndCounters counters(backend);
  MemoryProfile profile;
  counters.end_step(profile);
  backend.allocate(1'000'000);
  counters.end_step(profile);
  const auto& heap = profile.series.at("host_heap_bytes");
  EXPECT_LT(heap[1] - heap[0], -990'000) << "the fake's memory is not real memory";
}

TEST(StepEndCounters, ReadTheRiseWithinAStepAndSayWhatIsAbsent) {
  FakeBackend backend({.minor_faults = true});
  StepEndCounters counters(backend);
  MemoryProfile profile;
  for (const std::int64_t faults : {7, 9}) {
    backend.fault(1000);  // between two steps
    counters.begin_step();
    backend.fault(faults);
    counters.end_step(profile);
  }
  EXPECT_EQ(profile.series.at("minor_faults_per_step"), (std::vector<std::int64_t>{7, 9}));

  FakeBackend blind;
  StepEndCounters(blind).end_step(profile = {});
  EXPECT_FALSE(profile.series.contains("minor_faults_per_step"));
  EXPECT_EQ(profile.absent.at("minor_faults_per_step"), "page faults of the host are not counted for this device");
}

TEST(AllocatorHealth, RetriesAndPinnedMemoryOfEachStepAreTheRiseWithinIt) {
  FakeBackend backend;
  backend.use_outside(500);
  StepEndCounters counters(backend);
  MemoryProfile profile;
  backend.run_out(4);  // before the first step: no step's
  for (int step = 0; step < 2; ++step) {
    counters.begin_step();
    backend.run_out(step);
    backend.pin(4096, 70);
    counters.end_step(profile);
  }
  EXPECT_EQ(profile.series.at("allocator_retries_per_step"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(profile.series.at("allocator_stream_syncs_per_step"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(profile.series.at("ooms_per_step"), (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(profile.series.at("pinned_allocations_per_step"), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(profile.series.at("pinned_allocation_ns"), (std::vector<std::int64_t>{70, 70}));
  EXPECT_EQ(profile.series.at("peak_pinned_bytes"), (std::vector<std::int64_t>{4096, 8192}));
  EXPECT_EQ(profile.series.at("outside_allocator_bytes"), (std::vector<std::int64_t>{500, 500}));
}

TEST(AllocatorHealth, IsAbsentWithAReasonWithoutACachingAllocator) {
  FakeBackend backend({.events = false, .caching_allocator = false});
  MemoryProfile profile;
  StepEndCounters counters(backend);
  counters.begin_step();
  counters.end_step(profile);
  for (const char* metric : {"allocator_retries_per_step", "ooms_per_step", "peak_pinned_bytes"}) {
    EXPECT_FALSE(profile.series.contains(metric)) << metric;
    EXPECT_EQ(profile.absent.at(metric), "this device has no caching allocator and pins no host memory") << metric;
  }
}

}  // namespace
}  // namespace stepgate
