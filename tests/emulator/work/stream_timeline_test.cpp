#include "emulator/work/stream_timeline.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

Operation kernel_of(std::int64_t cost_ns) { return {.kind = OperationKind::kernel, .cost_ns = cost_ns}; }

Operation copy_of(std::int64_t cost_ns, CopyDirection direction) {
  return {.kind = OperationKind::copy, .cost_ns = cost_ns, .direction = direction};
}

class StreamTimelineTest : public testing::Test {
 protected:
  StreamState& blocking(StreamHandle handle) { return timeline_.add(handle, 0, {}); }
  StreamState& non_blocking(StreamHandle handle) { return timeline_.add(handle, 0, {.non_blocking = true}); }

  StreamTimeline timeline_{1};
};

TEST_F(StreamTimelineTest, WorkOfAStreamFollowsItsWork) {
  StreamState& stream = non_blocking(10);
  EXPECT_EQ(timeline_.plan(stream, kernel_of(100), 5).begin_ns, 5);
  const Slot second = timeline_.plan(stream, kernel_of(30), 6);
  EXPECT_EQ(second.begin_ns, 105);
  EXPECT_EQ(second.end_ns, 135);
  EXPECT_EQ(timeline_.plan(stream, kernel_of(1), 500).begin_ns, 500) << "the host comes late";
}

TEST_F(StreamTimelineTest, StreamsRunSideBySide) {
  StreamState& one = non_blocking(10);
  StreamState& other = non_blocking(11);
  timeline_.plan(one, kernel_of(100), 0);
  EXPECT_EQ(timeline_.plan(other, kernel_of(100), 0).begin_ns, 0);
  EXPECT_EQ(timeline_.ready_ns(0), 100);
  EXPECT_EQ(timeline_.ready_ns(1), 0);
}

TEST_F(StreamTimelineTest, TheLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  StreamState& legacy = timeline_.default_of(0);
  StreamState& waits = blocking(10);
  StreamState& apart = non_blocking(11);
  timeline_.plan(waits, kernel_of(100), 0);
  timeline_.plan(apart, kernel_of(900), 0);
  EXPECT_EQ(timeline_.plan(legacy, kernel_of(50), 0).begin_ns, 100);
  EXPECT_EQ(timeline_.plan(waits, kernel_of(1), 0).begin_ns, 150);
  StreamState& free_too = non_blocking(12);
  EXPECT_EQ(timeline_.plan(free_too, kernel_of(1), 0).begin_ns, 0);
}

TEST_F(StreamTimelineTest, DevicesHaveLegacyStreamsOfTheirOwn) {
  timeline_.plan(timeline_.default_of(0), kernel_of(100), 0);
  EXPECT_EQ(timeline_.plan(timeline_.default_of(1), kernel_of(1), 0).begin_ns, 0);
  StreamState& stream = timeline_.add(10, 1, {});
  EXPECT_EQ(timeline_.plan(stream, kernel_of(1), 0).begin_ns, 1) << "after its own device's";
}

TEST_F(StreamTimelineTest, CopiesOfOneDirectionShareAnEngine) {
  StreamState& one = non_blocking(10);
  StreamState& other = non_blocking(11);
  timeline_.plan(one, copy_of(100, CopyDirection::host_to_device), 0);
  EXPECT_EQ(timeline_.plan(other, copy_of(100, CopyDirection::host_to_device), 0).begin_ns, 100);
  StreamState& third = non_blocking(12);
  EXPECT_EQ(timeline_.plan(third, copy_of(100, CopyDirection::device_to_host), 0).begin_ns, 0);
  StreamState& fourth = non_blocking(13);
  timeline_.plan(fourth, copy_of(100, CopyDirection::device_to_device), 0);
  StreamState& fifth = non_blocking(14);
  EXPECT_EQ(timeline_.plan(fifth, copy_of(100, CopyDirection::device_to_device), 0).begin_ns, 0);
}

TEST_F(StreamTimelineTest, TheScaleSlowsTheDevice) {
  StreamTimeline slow{40};
  EXPECT_EQ(slow.plan(slow.add(10, 0, {}), kernel_of(100), 0).end_ns, 4000);
  StreamTimeline at_once{0};
  EXPECT_EQ(at_once.plan(at_once.add(10, 0, {}), kernel_of(100), 7).end_ns, 7);
}

TEST_F(StreamTimelineTest, ADeviceIsDoneWhenWorkOfRemovedStreamsIs) {
  timeline_.plan(non_blocking(10), kernel_of(100), 0);
  timeline_.remove(10);
  EXPECT_EQ(timeline_.find(10), nullptr);
  EXPECT_EQ(timeline_.ready_ns(0), 100);
  timeline_.remove(10);
}

TEST_F(StreamTimelineTest, AFullQueueHoldsTheHost) {
  StreamState& stream = non_blocking(10);
  for (std::size_t work = 0; work < queue_depth; ++work) {
    EXPECT_EQ(timeline_.room_ns(stream, 0), 0) << work;
    stream.queued_ends_ns.push_back(timeline_.plan(stream, kernel_of(10), 0).end_ns);
  }
  EXPECT_EQ(timeline_.room_ns(stream, 0), 10) << "when the oldest has ended";
  EXPECT_EQ(timeline_.room_ns(stream, 10), 10);
  EXPECT_EQ(stream.queued_ends_ns.size(), queue_depth - 1);
}

TEST_F(StreamTimelineTest, EachStreamHasANumber) {
  EXPECT_EQ(non_blocking(10).number, 1U);
  EXPECT_EQ(timeline_.default_of(0).number, 2U);
  EXPECT_EQ(timeline_.default_of(0).number, 2U);
  EXPECT_EQ(non_blocking(11).number, 3U);
}

}  // namespace
}  // namespace stepgate::emulator
