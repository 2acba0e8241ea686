#include "measure/device/fake/fake_backend.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

TEST(FakeBackend, QueuedWorkMovesTheDeviceAndNotTheHost) {
  FakeBackend backend;
  backend.enqueue(Stream::compute, 100);
  EXPECT_EQ(backend.now_ns(), 0);
  backend.synchronize();
  EXPECT_EQ(backend.now_ns(), 100);
}

TEST(FakeBackend, StreamsRunBesideEachOtherUnlessOneWaits) {
  FakeBackend backend;
  backend.enqueue(Stream::copy, 70);
  backend.enqueue(Stream::compute, 100);
  backend.wait_for(Stream::copy, Stream::compute);
  backend.enqueue(Stream::copy, 10);
  backend.synchronize();
  EXPECT_EQ(backend.now_ns(), 110);
}

TEST(FakeBackend, WorkCannotBeginBeforeTheHostQueuedIt) {
  FakeBackend backend;
  backend.work_on_host(50);
  backend.enqueue(Stream::compute, 10);
  backend.synchronize();
  EXPECT_EQ(backend.now_ns(), 60);
}

TEST(FakeBackend, EventsTellDeviceTimeInEitherDirection) {
  FakeBackend backend;
  backend.reserve_events(2);
  backend.enqueue(Stream::compute, 30);
  backend.record_event(0, Stream::compute);
  backend.enqueue(Stream::compute, 12);
  backend.record_event(1, Stream::compute);
  backend.synchronize();
  EXPECT_EQ(backend.elapsed_ns(0, 1), 12);
  EXPECT_EQ(backend.elapsed_ns(1, 0), -12);
}

TEST(FakeBackend, RefusesToReadAnEventBeforeASynchronisation) {
  FakeBackend backend;
  backend.reserve_events(2);
  backend.record_event(0, Stream::compute);
  backend.enqueue(Stream::compute, 30);
  backend.record_event(1, Stream::compute);
  EXPECT_THROW(backend.elapsed_ns(0, 1), Error);
  backend.drain();
  EXPECT_EQ(backend.elapsed_ns(0, 1), 30);
}

TEST(FakeBackend, RefusesSlotsThatWereNeitherReservedNorRecorded) {
  FakeBackend backend;
  backend.reserve_events(1);
  EXPECT_THROW(backend.record_event(1, Stream::compute), Error);
  EXPECT_THROW(backend.elapsed_ns(0, 0), Error);
}

TEST(FakeBackend, CachingAllocatorGoesToTheDriverOnlyForWhatItNeverHeld) {
  FakeBackend backend;
  backend.deallocate(backend.allocate(100));
  backend.allocate(60);
  const MemoryStats stats = backend.memory();
  EXPECT_EQ(stats.allocations, 2);
  EXPECT_EQ(stats.requested_bytes, 160);
  EXPECT_EQ(stats.allocated_bytes, 60);
  EXPECT_EQ(stats.peak_allocated_bytes, 100);
  EXPECT_EQ(stats.reserved_bytes, 100);
  EXPECT_EQ(stats.device_mallocs, 1);
}

TEST(FakeBackend, ResetPeakFallsToWhatIsAllocated) {
  FakeBackend backend;
  backend.allocate(60);
  backend.deallocate(backend.allocate(40));
  backend.reset_peak();
  EXPECT_EQ(backend.memory().peak_allocated_bytes, 60);
}

TEST(FakeBackend, RoundsBlocksAndReportsRequestedBytes) {
  FakeBackend backend({.block_bytes = 512});
  backend.allocate(513);
  const MemoryStats stats = backend.memory();
  EXPECT_EQ(stats.allocated_bytes, 1024);
  EXPECT_EQ(stats.requested_live_bytes, 513);
  EXPECT_EQ(stats.peak_requested_bytes, 513);
}

TEST(FakeBackend, WastedMemoryIsReservedButUnused) {
  FakeBackend backend;
  backend.deallocate(backend.allocate(100));
  backend.waste(30);
  backend.allocate(100);
  EXPECT_EQ(backend.memory().reserved_bytes, 130);
  backend.allocate(20);
  EXPECT_EQ(backend.memory().reserved_bytes, 150);
}

TEST(FakeBackend, ATraceBeginsWithWhatIsLive) {
  FakeBackend backend;
  const auto before = backend.allocate(100);
  MemoryTrace trace;
  EXPECT_TRUE(backend.trace_memory(&trace));
  backend.deallocate(before);
  backend.allocate(30);
  backend.trace_memory(nullptr);
  backend.allocate(7);
  ASSERT_EQ(trace.blocks().size(), 2U);
  EXPECT_EQ(trace.blocks()[0].bytes, 100);
  EXPECT_TRUE(trace.blocks()[0].freed);
  EXPECT_EQ(trace.blocks()[1].bytes, 30);
}

TEST(FakeBackend, RefusesToFreeWhatIsNotLive) {
  FakeBackend backend;
  const auto block = backend.allocate(1);
  backend.deallocate(block);
  EXPECT_THROW(backend.deallocate(block), Error);
}

TEST(FakeBackend, LeavesAbsentWhatTheDeviceDoesNotHave) {
  FakeBackend backend({.events = false, .caching_allocator = false});
  EXPECT_FALSE(backend.memory().reserved_bytes);
  EXPECT_FALSE(backend.memory().device_mallocs);
  EXPECT_FALSE(backend.minor_faults());
}

}  // namespace
}  // namespace stepgate
