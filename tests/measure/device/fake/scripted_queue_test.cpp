#include "measure/device/fake/scripted_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string hazard_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Hazard& hazard) {
    return hazard.what();
  }
  return "no hazard";
}

void write(ScriptedQueue& queue, const DeviceMemory& memory, Stream stream, const char* what) {
  queue.launch({.site = {what, 0, 0}, .stream = stream, .ns = 100, .writes = std::span(&memory, 1)});
}

void read(ScriptedQueue& queue, const DeviceMemory& memory, Stream stream, const char* what) {
  queue.launch({.site = {what, 0, 0}, .stream = stream, .ns = 100, .reads = std::span(&memory, 1)});
}

TEST(ScriptedQueue, AnUnorderedWriteNamesBothSites) {
  ScriptedQueue queue;
  const DeviceMemory memory = queue.allocate(512, Stream::compute);
  read(queue, memory, Stream::compute, "step: read");
  EXPECT_THAT(hazard_of([&] { write(queue, memory, Stream::copy, "copier: write"); }),
              AllOf(HasSubstr("\"copier: write slot 0, tensor 0\" on the copy stream"),
                    HasSubstr("\"step: read slot 0, tensor 0\" on the compute stream")));
}

// Time does not order: the first access was over long ago.
TEST(ScriptedQueue, TimeAloneOrdersNothing) {
  ScriptedQueue queue;
  const DeviceMemory memory = queue.allocate(512, Stream::compute);
  write(queue, memory, Stream::compute, "first");
  queue.work_on_host(1'000'000);
  EXPECT_THAT(hazard_of([&] { read(queue, memory, Stream::copy, "second"); }), HasSubstr("second"));
}

TEST(ScriptedQueue, AnEventOrders) {
  ScriptedQueue queue;
  const DeviceMemory memory = queue.allocate(512, Stream::compute);
  const EventId event = queue.make_event(EventTiming::off);
  write(queue, memory, Stream::compute, "first");
  queue.record(event, Stream::compute);
  queue.wait(Stream::copy, event);
  EXPECT_EQ(hazard_of([&] { write(queue, memory, Stream::copy, "second"); }), "no hazard");
}

TEST(ScriptedQueue, AnEventRecordedBeforeTheAccessOrdersNothing) {
  ScriptedQueue queue;
  const DeviceMemory memory = queue.allocate(512, Stream::compute);
  const EventId event = queue.make_event(EventTiming::off);
  queue.record(event, Stream::compute);
  write(queue, memory, Stream::compute, "first");
  queue.wait(Stream::copy, event);
  EXPECT_THAT(hazard_of([&] { write(queue, memory, Stream::copy, "second"); }), HasSubstr("first"));
}

TEST(ScriptedQueue, TwoReadsDoNotConflict) {
  ScriptedQueue queue;
  const DeviceMemory memory = queue.allocate(512, Stream::compute);
  read(queue, memory, Stream::compute, "first");
  EXPECT_EQ(hazard_of([&] { read(queue, memory, Stream::copy, "second"); }), "no hazard");
}

TEST(ScriptedQueue, AFreedBlockIsReusedAtOnceOnItsStream) {
  ScriptedQueue queue;
  DeviceMemory memory = queue.allocate(512, Stream::compute);
  const void* address = memory->address;
  write(queue, memory, Stream::compute, "temporary");
  memory.reset();
  const DeviceMemory again = queue.allocate(256, Stream::compute);
  EXPECT_EQ(again->address, address);
  EXPECT_EQ(hazard_of([&] { write(queue, again, Stream::compute, "same stream"); }), "no hazard");
  EXPECT_THAT(hazard_of([&] { write(queue, again, Stream::copy, "other stream"); }), HasSubstr("same stream"));
  EXPECT_NE(queue.allocate(256, Stream::copy)->address, address);
}

TEST(ScriptedQueue, ARecordedStreamDefersReuse) {
  ScriptedQueue queue;
  DeviceMemory memory = queue.allocate(512, Stream::compute);
  const void* address = memory->address;
  write(queue, memory, Stream::copy, "on another stream");
  queue.record_stream(memory, Stream::copy);
  memory.reset();
  EXPECT_NE(queue.allocate(512, Stream::compute)->address, address);
  queue.synchronize();
  EXPECT_EQ(queue.allocate(512, Stream::compute)->address, address);
}

TEST(ScriptedQueue, TheHostReadsOnlyWhatItWaitedFor) {
  ScriptedQueue queue;
  const DeviceMemory loss = queue.allocate(512, Stream::compute);
  const HostBuffer number = queue.allocate_host(4, HostMemory::pinned);
  queue.copy_to_host(*loss, *number, Stream::compute, {"copy of the loss", 0, 0});
  EXPECT_THAT(hazard_of([&] {
                queue.read_on_host(number->address, {"log: read of the loss", 0, 0});
              }),
              AllOf(HasSubstr("log: read of the loss"), HasSubstr("copy of the loss")));
  queue.synchronize();
  EXPECT_EQ(hazard_of([&] { queue.read_on_host(number->address, {"log: read of the loss", 0, 0}); }), "no hazard");
}

/// A loader that fills a batch, copies it and drops it.
const void* copy_and_drop(ScriptedQueue& queue, const DeviceMemory& to, HostBuffer batch) {
  queue.write_on_host(batch->address, {"loader: write", 0, 0});
  queue.copy_to_device(*batch, *to, Stream::copy, {"copy", 0, 0});
  return batch->address;
}

TEST(ScriptedQueue, ThePoolReusesPinnedMemoryOnlyBehindItsCopies) {
  ScriptedQueue queue({.copy_bytes_per_ns = 1});
  const DeviceMemory to = queue.allocate(4096, Stream::copy);
  const void* first = copy_and_drop(queue, to, queue.allocate_host(4000, HostMemory::pinned));
  EXPECT_NE(queue.allocate_host(4000, HostMemory::pinned)->address, first);
  queue.work_on_host(1'000'000);
  const HostBuffer later = queue.allocate_host(4000, HostMemory::pinned);
  EXPECT_EQ(hazard_of([&] { queue.write_on_host(later->address, {"loader: write", 0, 0}); }), "no hazard");
  EXPECT_EQ(queue.memory().pinned_mallocs(), 2);
}

TEST(ScriptedQueue, ASliceOfPinnedMemoryCountsAsItsBlock) {
  ScriptedQueue queue({.copy_bytes_per_ns = 1});
  const DeviceMemory to = queue.allocate(4096, Stream::copy);
  HostBuffer batch = queue.allocate_host(4096, HostMemory::pinned);
  HostBytes slice = *batch;
  slice.address = static_cast<char*>(slice.address) + 1024;
  slice.bytes = 1024;
  EXPECT_TRUE(queue.copy_to_device(slice, *to, Stream::copy, {"copy", 0, 0}));
  const void* address = batch->address;
  batch.reset();
  EXPECT_NE(queue.allocate_host(4096, HostMemory::pinned)->address, address);
}

TEST(ScriptedQueue, ALoaderMustNotOverwriteABatchThatIsCopied) {
  ScriptedQueue queue;
  const DeviceMemory to = queue.allocate(4096, Stream::copy);
  const HostBuffer batch = queue.allocate_host(4096, HostMemory::pinned);
  copy_and_drop(queue, to, batch);
  EXPECT_THAT(hazard_of([&] {
                queue.write_on_host(batch->address, {"loader: next batch", 0, 0});
              }),
              HasSubstr("loader: next batch"));
}

TEST(ScriptedQueue, PinnedMemoryThatNoPoolFollowsMustOutliveItsCopy) {
  ScriptedQueue queue;
  const DeviceMemory to = queue.allocate(4096, Stream::copy);
  HostBuffer batch = queue.allocate_foreign(4096);
  EXPECT_FALSE(queue.copy_to_device(*batch, *to, Stream::copy, {"copy", 0, 0}));
  batch.reset();
  EXPECT_THAT(hazard_of([&] { queue.synchronize(); }), HasSubstr("free of memory that no pool follows"));
}

TEST(ScriptedQueue, ElapsedTimeNeedsTimingARecordAndAWait) {
  ScriptedQueue queue;
  const EventId begin = queue.make_event(EventTiming::on);
  const EventId end = queue.make_event(EventTiming::on);
  const EventId untimed = queue.make_event(EventTiming::off);
  EXPECT_THROW(queue.elapsed_ns(begin, end), Error);
  queue.record(begin, Stream::compute);
  queue.occupy(Stream::compute, 700);
  queue.record(end, Stream::compute);
  queue.record(untimed, Stream::compute);
  EXPECT_THROW(queue.elapsed_ns(begin, end), Error);
  queue.synchronize(end);
  EXPECT_EQ(queue.elapsed_ns(begin, end), 700);
  EXPECT_EQ(queue.elapsed_ns(end, begin), -700);
  EXPECT_THROW(queue.elapsed_ns(begin, untimed), Error);
}

TEST(ScriptedQueue, ReleasingCachedMemoryLeavesWhatIsInUse) {
  ScriptedQueue queue;
  const DeviceMemory used = queue.allocate(1000, Stream::compute);
  queue.allocate(500, Stream::compute);
  EXPECT_EQ(queue.memory().reserved_bytes(), 1500);
  queue.release_cached();
  EXPECT_EQ(queue.memory().reserved_bytes(), 1000);
}

}  // namespace
}  // namespace stepgate
