#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/machine/machine_fixture.h"

namespace stepgate::emulator {
namespace {

class MachineCaptures : public MachineTest {
 protected:
  Outcome begin(StreamHandle handle, CaptureMode mode = CaptureMode::global) {
    return machine_.begin_capture(me_, handle, mode);
  }
  Made end(StreamHandle handle) { return machine_.end_capture(me_, handle); }
  CaptureStatus status(StreamHandle handle) { return machine_.capture_facts(me_, handle).status; }

  const StreamHandle one_ = stream();
  const StreamHandle other_ = stream();
};

TEST_F(MachineCaptures, RecordsWorkInsteadOfRunningIt) {
  ASSERT_EQ(begin(one_), Outcome::ok);
  EXPECT_EQ(status(one_), CaptureStatus::active);
  EXPECT_EQ(kernel(one_, 1'000, 'a'), Outcome::ok);
  const Made graph = end(one_);
  EXPECT_EQ(graph.outcome, Outcome::ok);
  EXPECT_EQ(status(one_), CaptureStatus::none);
  machine_.synchronize_device(me_);
  EXPECT_EQ(written_, "");
  EXPECT_EQ(machine_.nodes_of(graph.handle)->size(), 1U);
  EXPECT_TRUE(log_.totals().own_kernels.empty());
}

TEST_F(MachineCaptures, TheLegacyStreamCannotBeCaptured) {
  EXPECT_EQ(begin(default_stream), Outcome::capture_unsupported);
  EXPECT_EQ(begin(legacy_stream), Outcome::capture_unsupported);
}

TEST_F(MachineCaptures, AStreamIsCapturedOnceAtATime) {
  begin(one_);
  EXPECT_EQ(begin(one_), Outcome::illegal_state);
  EXPECT_EQ(end(other_).outcome, Outcome::illegal_state);
  EXPECT_EQ(end(one_).outcome, Outcome::ok);
  EXPECT_EQ(end(one_).outcome, Outcome::illegal_state);
}

TEST_F(MachineCaptures, AWaitForTheCapturedStreamEndsIt) {
  begin(one_);
  kernel(one_, 1'000);
  EXPECT_EQ(synchronize(one_), Outcome::capture_unsupported);
  EXPECT_EQ(status(one_), CaptureStatus::invalidated);
  EXPECT_EQ(kernel(one_, 1'000), Outcome::capture_invalidated);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
  EXPECT_EQ(status(one_), CaptureStatus::none);
  EXPECT_EQ(kernel(one_, 1'000), Outcome::ok) << "the stream works again";
}

TEST_F(MachineCaptures, SoDoAQueryAndASynchronisationOfTheDevice) {
  begin(one_);
  EXPECT_EQ(machine_.query_stream(me_, one_), Outcome::capture_unsupported);
  end(one_);
  begin(one_, CaptureMode::relaxed);
  EXPECT_EQ(machine_.synchronize_device(me_), Outcome::capture_unsupported);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
}

TEST_F(MachineCaptures, OtherStreamsMayBeWaitedFor) {
  begin(one_);
  EXPECT_EQ(synchronize(other_), Outcome::ok);
  EXPECT_EQ(machine_.query_stream(me_, other_), Outcome::ok);
  EXPECT_EQ(end(one_).outcome, Outcome::ok);
}

TEST_F(MachineCaptures, PageableCopiesAreRefused) {
  char* device = device_bytes(8);
  char* pinned = pinned_bytes(8);
  char own[8] = {};
  begin(one_);
  EXPECT_EQ(copy(device, pinned, 8, one_), Outcome::ok);
  EXPECT_EQ(copy(device, own, 8, one_), Outcome::capture_unsupported);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
}

TEST_F(MachineCaptures, UnsafeCallsAreRefused) {
  char* device = device_bytes(8);
  const EventHandle plain = event();
  const auto refused = [&](auto call) {
    begin(one_);
    EXPECT_EQ(call(), Outcome::capture_unsupported);
    EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
  };
  refused([&] { return machine_.allocate(me_, 8).outcome; });
  refused([&] { return machine_.free(me_, device); });
  refused([&] { return machine_.allocate_host(me_, 8).outcome; });
  refused([&] { return machine_.query_event(me_, plain); });
  refused([&] { return machine_.synchronize_event(me_, plain); });
  refused([&] { return machine_.copy(me_, {.to = device, .from = device, .bytes = 8, .synchronous = true}); });
}

TEST_F(MachineCaptures, ModesDecideWhatThreadsMayCall) {
  struct Row {
    CaptureMode of_capture;
    std::uint64_t thread;  // 1 captures
    CaptureMode of_caller;
    Outcome outcome;
  };
  constexpr Outcome refused = Outcome::capture_unsupported;
  for (const Row& row : {
           Row{CaptureMode::global, 1, CaptureMode::global, refused},
           Row{CaptureMode::global, 1, CaptureMode::thread_local_only, refused},
           Row{CaptureMode::global, 1, CaptureMode::relaxed, Outcome::ok},
           Row{CaptureMode::global, 2, CaptureMode::global, refused},
           Row{CaptureMode::global, 2, CaptureMode::thread_local_only, Outcome::ok},
           Row{CaptureMode::global, 2, CaptureMode::relaxed, Outcome::ok},
           Row{CaptureMode::thread_local_only, 1, CaptureMode::global, refused},
           Row{CaptureMode::thread_local_only, 1, CaptureMode::relaxed, Outcome::ok},
           Row{CaptureMode::thread_local_only, 2, CaptureMode::global, Outcome::ok},
           Row{CaptureMode::relaxed, 1, CaptureMode::global, Outcome::ok},
           Row{CaptureMode::relaxed, 2, CaptureMode::global, Outcome::ok},
       }) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(row.of_capture) << " " << row.thread << " "
                                    << static_cast<int>(row.of_caller));
    ASSERT_EQ(begin(one_, row.of_capture), Outcome::ok);
    EXPECT_EQ(machine_.allocate(in_thread(row.thread, row.of_caller), 8).outcome, row.outcome);
    EXPECT_EQ(end(one_).outcome, row.outcome == Outcome::ok ? Outcome::ok : Outcome::capture_invalidated);
  }
}

TEST_F(MachineCaptures, EndsInTheThreadThatBeganIt) {
  begin(one_);
  EXPECT_EQ(machine_.end_capture(in_thread(2), one_).outcome, Outcome::capture_wrong_thread);
  EXPECT_EQ(end(one_).outcome, Outcome::ok);
  begin(one_, CaptureMode::relaxed);
  EXPECT_EQ(machine_.end_capture(in_thread(2), one_).outcome, Outcome::ok);
}

TEST_F(MachineCaptures, TheLegacyStreamMayNotWaitForACapturedOne) {
  const StreamHandle blocking = blocking_stream();
  begin(blocking);
  EXPECT_EQ(machine_.capture_facts(me_, legacy_stream).outcome, Outcome::capture_implicit);
  EXPECT_EQ(status(blocking), CaptureStatus::active) << "asking harms nothing";
  EXPECT_EQ(kernel(default_stream, 1'000), Outcome::capture_implicit);
  EXPECT_EQ(end(blocking).outcome, Outcome::capture_invalidated);
  begin(one_);
  EXPECT_EQ(kernel(default_stream, 1'000), Outcome::ok) << "a stream that does not wait for it";
  EXPECT_EQ(end(one_).outcome, Outcome::ok);
}

TEST_F(MachineCaptures, AnEventTakesAnotherStreamIntoTheCapture) {
  const EventHandle fork = event();
  const EventHandle join = event();
  begin(one_);
  kernel(one_, 1'000, 'a');
  ASSERT_EQ(machine_.record_event(me_, fork, one_), Outcome::ok);
  ASSERT_EQ(machine_.wait_event(me_, other_, fork), Outcome::ok);
  EXPECT_EQ(status(other_), CaptureStatus::active);
  kernel(other_, 1'000, 'b');
  machine_.record_event(me_, join, other_);
  machine_.wait_event(me_, one_, join);
  kernel(one_, 1'000, 'c');
  const Made graph = end(one_);
  ASSERT_EQ(graph.outcome, Outcome::ok);
  EXPECT_EQ(status(other_), CaptureStatus::none);
  const std::vector<NodeFacts> nodes = *machine_.nodes_of(graph.handle);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_THAT(nodes[1].after, testing::ElementsAre(nodes[0].handle));
  EXPECT_THAT(nodes[2].after, testing::UnorderedElementsAre(nodes[0].handle, nodes[1].handle));
}

TEST_F(MachineCaptures, AForkThatIsNotJoinedIsAnError) {
  const EventHandle fork = event();
  begin(one_);
  machine_.record_event(me_, fork, one_);
  machine_.wait_event(me_, other_, fork);
  kernel(other_, 1'000);
  EXPECT_EQ(end(other_).outcome, Outcome::capture_unmatched);
  end(one_);
  begin(one_);
  machine_.record_event(me_, fork, one_);
  machine_.wait_event(me_, other_, fork);
  kernel(other_, 1'000);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_unjoined);
  EXPECT_EQ(status(other_), CaptureStatus::none);
}

TEST_F(MachineCaptures, AForkWithoutWorkNeedsNoJoin) {
  const EventHandle fork = event();
  begin(one_);
  kernel(one_, 1'000);
  machine_.record_event(me_, fork, one_);
  machine_.wait_event(me_, other_, fork);
  EXPECT_EQ(end(one_).outcome, Outcome::ok);
}

TEST_F(MachineCaptures, CapturesDoNotMerge) {
  const EventHandle bridge = event();
  begin(one_);
  kernel(one_, 1'000);
  begin(other_);
  machine_.record_event(me_, bridge, one_);
  EXPECT_EQ(machine_.wait_event(me_, other_, bridge), Outcome::capture_merge);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
  EXPECT_EQ(end(other_).outcome, Outcome::capture_invalidated);
}

TEST_F(MachineCaptures, NothingWaitsAcrossTheBorder) {
  const EventHandle outside = event();
  machine_.record_event(me_, outside, other_);
  begin(one_);
  EXPECT_EQ(machine_.wait_event(me_, one_, outside), Outcome::capture_isolation);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
}

TEST_F(MachineCaptures, ACapturedEventCannotBeAskedNorOutliveItsCapture) {
  const EventHandle inside = event();
  begin(one_, CaptureMode::relaxed);
  machine_.record_event(me_, inside, one_);
  EXPECT_EQ(machine_.query_event(me_, inside), Outcome::captured_event);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
  EXPECT_EQ(machine_.synchronize_event(me_, inside), Outcome::captured_event);
  EXPECT_EQ(machine_.wait_event(me_, other_, inside), Outcome::captured_event);
  EXPECT_EQ(machine_.elapsed(inside, inside).outcome, Outcome::captured_event);
  machine_.record_event(me_, inside, one_);
  EXPECT_EQ(machine_.synchronize_event(me_, inside), Outcome::ok) << "recorded again, outside";
}

TEST_F(MachineCaptures, ADestroyedStreamInvalidatesItsCapture) {
  const EventHandle fork = event();
  begin(one_);
  machine_.record_event(me_, fork, one_);
  machine_.wait_event(me_, other_, fork);
  machine_.destroy_stream(me_, other_);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
}

TEST_F(MachineCaptures, ACaptureEndsWithTheStreamThatItBeganIn) {
  const EventHandle fork = event();
  begin(one_);
  machine_.record_event(me_, fork, one_);
  machine_.wait_event(me_, other_, fork);
  EXPECT_EQ(machine_.destroy_stream(me_, one_), Outcome::ok);
  EXPECT_EQ(machine_.holdings().captures, 0U);
  EXPECT_EQ(machine_.allocate(me_, 8).outcome, Outcome::ok) << "nothing is captured";
  EXPECT_EQ(machine_.synchronize_device(me_), Outcome::ok);
  EXPECT_EQ(status(other_), CaptureStatus::none);
  EXPECT_EQ(machine_.wait_event(me_, other_, fork), Outcome::captured_event) << "of a capture that is over";
  ASSERT_EQ(begin(other_), Outcome::ok);
  EXPECT_EQ(kernel(other_, 1'000), Outcome::ok);
  EXPECT_EQ(end(other_).outcome, Outcome::ok);
}

TEST_F(MachineCaptures, AsynchronousAllocationsAreNoNodes) {
  begin(one_);
  EXPECT_EQ(machine_.allocate_async(me_, 8, one_).outcome, Outcome::capture_unsupported);
  EXPECT_EQ(end(one_).outcome, Outcome::capture_invalidated);
}

TEST_F(MachineCaptures, TheTailCanBeSet) {
  begin(one_);
  kernel(one_, 1'000);
  const NodeHandle first = machine_.capture_facts(me_, one_).tail.at(0);
  kernel(one_, 1'000);
  EXPECT_EQ(machine_.set_capture_tail(me_, one_, {12345}, false), Outcome::invalid_value);
  EXPECT_EQ(machine_.set_capture_tail(me_, other_, {first}, false), Outcome::illegal_state);
  ASSERT_EQ(machine_.set_capture_tail(me_, one_, {first}, false), Outcome::ok);
  kernel(one_, 1'000);
  const Made graph = end(one_);
  EXPECT_THAT(machine_.nodes_of(graph.handle)->at(2).after, testing::ElementsAre(first));
}

}  // namespace
}  // namespace stepgate::emulator
