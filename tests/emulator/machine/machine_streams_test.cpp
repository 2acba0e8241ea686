#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "emulator/machine/machine_fixture.h"

namespace stepgate::emulator {
namespace {

using MachineStreams = MachineTest;
using MachineEvents = MachineTest;

TEST_F(MachineStreams, AStreamIsBusyUntilItsWorkEnds) {
  const StreamHandle one = stream();
  EXPECT_EQ(machine_.query_stream(me_, one), Outcome::ok);
  ASSERT_EQ(kernel(one, 1'000'000, 'a'), Outcome::ok);
  EXPECT_EQ(machine_.query_stream(me_, one), Outcome::not_ready);
  EXPECT_EQ(written_, "");
  EXPECT_EQ(synchronize(one), Outcome::ok);
  EXPECT_EQ(written_, "a");
  EXPECT_EQ(machine_.query_stream(me_, one), Outcome::ok);
}

TEST_F(MachineStreams, AWaitTakesExactlyAsLongAsTheWork) {
  const StreamHandle one = stream();
  const std::int64_t begin_ns = now_ns();
  kernel(one, 1'000'000);
  synchronize(one);
  EXPECT_EQ(now_ns(), begin_ns + host_call_ns + 1'000'000);
}

TEST_F(MachineStreams, WorkOfTwoStreamsEndsInTheOrderOfTime) {
  const StreamHandle slow = stream();
  const StreamHandle quick = stream();
  kernel(slow, 1'000'000, 's');
  kernel(quick, 1'000, 'q');
  EXPECT_EQ(machine_.synchronize_device(me_), Outcome::ok);
  EXPECT_EQ(written_, "qs");
}

TEST_F(MachineStreams, ASynchronisationOfOneStreamLeavesTheOthersAlone) {
  const StreamHandle slow = stream();
  const StreamHandle quick = stream();
  kernel(slow, 1'000'000, 's');
  kernel(quick, 1'000, 'q');
  synchronize(quick);
  EXPECT_EQ(written_, "q");
}

TEST_F(MachineStreams, TheLegacyStreamStandsForBlockingStreams) {
  const StreamHandle blocking = blocking_stream();
  const StreamHandle apart = stream();
  kernel(blocking, 100'000, 'b');
  kernel(apart, 900'000, 'f');
  EXPECT_EQ(machine_.query_stream(me_, legacy_stream), Outcome::not_ready);
  EXPECT_EQ(synchronize(default_stream), Outcome::ok);
  EXPECT_EQ(written_, "b");
}

TEST_F(MachineStreams, ThreadsHaveDefaultStreamsOfTheirOwn) {
  machine_.submit(in_thread(7), thread_stream, {.cost_ns = 1'000'000});
  EXPECT_EQ(machine_.query_stream(in_thread(7), thread_stream), Outcome::not_ready);
  EXPECT_EQ(machine_.query_stream(in_thread(8), thread_stream), Outcome::ok);
  EXPECT_EQ(machine_.destroy_stream(me_, thread_stream), Outcome::invalid_handle);
}

TEST_F(MachineStreams, ADestroyedStreamIsFoundInvalidAndItsWorkRuns) {
  const StreamHandle one = stream();
  kernel(one, 1'000'000, 'a');
  EXPECT_EQ(machine_.destroy_stream(me_, one), Outcome::ok);
  EXPECT_EQ(machine_.destroy_stream(me_, one), Outcome::invalid_handle);
  EXPECT_EQ(kernel(one, 1), Outcome::invalid_handle);
  EXPECT_EQ(synchronize(one), Outcome::invalid_handle);
  EXPECT_EQ(machine_.stream_facts(me_, one), std::nullopt);
  machine_.synchronize_device(me_);
  EXPECT_EQ(written_, "a");
}

TEST_F(MachineStreams, HandlesAreNeverUsedTwice) {
  std::set<Handle> handles;
  for (int round = 0; round < 50; ++round) {
    const StreamHandle one = stream();
    EXPECT_EQ(one % handle_step, 0U);
    EXPECT_TRUE(handles.insert(one).second);
    machine_.destroy_stream(me_, one);
  }
}

TEST_F(MachineStreams, AKernelNeedsTheStreamsDevice) {
  const StreamHandle other = stream(1);
  EXPECT_EQ(kernel(other, 1), Outcome::invalid_handle);
  EXPECT_EQ(machine_.submit(on_device(1), other, {.cost_ns = 1}), Outcome::ok);
  EXPECT_EQ(machine_.create_stream(on_device(2), {}).outcome, Outcome::invalid_device);
}

TEST_F(MachineStreams, AFullQueueHoldsTheHostAndNotBefore) {
  const StreamHandle one = stream();
  constexpr std::int64_t cost_ns = 1'000'000'000;
  for (std::size_t work = 0; work + 1 < queue_depth; ++work) kernel(one, cost_ns);
  EXPECT_LT(now_ns(), cost_ns);
  kernel(one, cost_ns);
  EXPECT_GE(now_ns(), cost_ns) << "the host has waited for the oldest";
  EXPECT_LT(now_ns(), 2 * cost_ns);
}

TEST_F(MachineEvents, AnEventIsDoneWhenTheWorkBeforeItIs) {
  const StreamHandle one = stream();
  const EventHandle done = event();
  EXPECT_EQ(machine_.query_event(me_, done), Outcome::ok) << "never recorded";
  kernel(one, 1'000'000, 'a');
  ASSERT_EQ(machine_.record_event(me_, done, one), Outcome::ok);
  kernel(one, 9'000'000, 'b');
  EXPECT_EQ(machine_.query_event(me_, done), Outcome::not_ready);
  EXPECT_EQ(machine_.synchronize_event(me_, done), Outcome::ok);
  EXPECT_EQ(written_, "a");
  EXPECT_EQ(machine_.query_event(me_, done), Outcome::ok);
}

TEST_F(MachineEvents, AStreamThatWaitsBeginsAfterTheEvent) {
  const StreamHandle one = stream();
  const StreamHandle other = stream();
  const EventHandle done = event();
  kernel(one, 1'000'000, 'a');
  machine_.record_event(me_, done, one);
  ASSERT_EQ(machine_.wait_event(me_, other, done), Outcome::ok);
  kernel(other, 1'000, 'b');
  synchronize(other);
  EXPECT_EQ(written_, "ab");
}

TEST_F(MachineEvents, WithoutTheWaitTheOrderIsWrong) {
  const StreamHandle one = stream();
  const StreamHandle other = stream();
  kernel(one, 1'000'000, 'a');
  kernel(other, 1'000, 'b');
  synchronize(one);
  EXPECT_EQ(written_, "ba");
}

TEST_F(MachineEvents, AWaitIsForTheLastRecordingBeforeIt) {
  const StreamHandle one = stream();
  const StreamHandle other = stream();
  const EventHandle done = event();
  EXPECT_EQ(machine_.wait_event(me_, other, done), Outcome::ok) << "nothing to wait for";
  kernel(one, 1'000'000, 'a');
  machine_.record_event(me_, done, one);
  machine_.wait_event(me_, other, done);
  kernel(one, 50'000'000, 'c');
  machine_.record_event(me_, done, one);
  kernel(other, 1'000, 'b');
  synchronize(other);
  EXPECT_EQ(written_, "ab");
}

TEST_F(MachineEvents, ElapsedIsTheTimeBetweenTwoEvents) {
  const StreamHandle one = stream();
  const EventHandle begin = event();
  const EventHandle end = event();
  EXPECT_EQ(machine_.elapsed(begin, end).outcome, Outcome::invalid_handle) << "not recorded";
  machine_.record_event(me_, begin, one);
  kernel(one, 2'000'000);
  machine_.record_event(me_, end, one);
  EXPECT_EQ(machine_.elapsed(begin, end).outcome, Outcome::not_ready);
  machine_.synchronize_event(me_, end);
  const Elapsed elapsed = machine_.elapsed(begin, end);
  EXPECT_EQ(elapsed.outcome, Outcome::ok);
  EXPECT_NEAR(elapsed.ms, 2.0, 0.01);
}

TEST_F(MachineEvents, AnEventWithoutTimingHasNoTime) {
  const EventHandle plain = machine_.create_event(me_, {.timing = false}).handle;
  const EventHandle timed = event();
  machine_.record_event(me_, plain, default_stream);
  machine_.record_event(me_, timed, default_stream);
  EXPECT_EQ(machine_.elapsed(plain, timed).outcome, Outcome::invalid_handle);
}

TEST_F(MachineEvents, AnEventBelongsToItsDevice) {
  const EventHandle of_first = event();
  EXPECT_EQ(machine_.record_event(on_device(1), of_first, stream(1)), Outcome::invalid_handle);
  machine_.record_event(me_, of_first, stream());
  EXPECT_EQ(machine_.wait_event(on_device(1), stream(1), of_first), Outcome::ok) << "any device may wait for it";
}

TEST_F(MachineEvents, ADestroyedEventIsFoundInvalid) {
  const EventHandle gone = event();
  EXPECT_EQ(machine_.destroy_event(gone), Outcome::ok);
  EXPECT_EQ(machine_.destroy_event(gone), Outcome::invalid_handle);
  EXPECT_EQ(machine_.query_event(me_, gone), Outcome::invalid_handle);
  EXPECT_EQ(machine_.synchronize_event(me_, gone), Outcome::invalid_handle);
  EXPECT_EQ(machine_.record_event(me_, gone, default_stream), Outcome::invalid_handle);
  EXPECT_EQ(machine_.wait_event(me_, default_stream, gone), Outcome::invalid_handle);
}

TEST_F(MachineEvents, AThreadThatOnlyAsksDoesNotAdvanceTime) {
  const StreamHandle one = stream();
  const EventHandle done = event();
  kernel(one, 5'000);
  machine_.record_event(me_, done, one);
  const std::int64_t before_ns = now_ns();
  for (int round = 0; round < 100; ++round) {
    EXPECT_EQ(machine_.query_event(in_thread(9), done), Outcome::not_ready);
    EXPECT_EQ(machine_.query_stream(in_thread(9), one), Outcome::not_ready);
  }
  EXPECT_EQ(now_ns(), before_ns);
  EXPECT_EQ(machine_.query_event(me_, done), Outcome::ok);
}

TEST(IdleMachine, AThreadThatOnlyAsksGetsAnAnswerWhereAllOthersWait) {
  MachineOptions options = read_machine_options("h100");
  options.patience_ms = -1;
  EmulatedMachine machine(options);
  const Caller worker{.thread = 1, .function = "call"};
  const Caller watchdog{.thread = 2, .function = "call"};
  const EventHandle done = machine.create_event(worker, {}).handle;
  machine.submit(worker, default_stream, {.cost_ns = 1'000'000'000});
  machine.record_event(worker, done, default_stream);
  const std::int64_t before_ns = machine.clock().now_ns();
  EXPECT_EQ(machine.elapsed(done, done).outcome, Outcome::not_ready);
  EXPECT_EQ(machine.query_event(watchdog, done), Outcome::ok);
  EXPECT_EQ(machine.elapsed(done, done).outcome, Outcome::ok) << "who was told may ask for the time";
  EXPECT_EQ(machine.clock().now_ns(), before_ns);
  EXPECT_EQ(machine.query_event(worker, done), Outcome::not_ready) << "those that work ask in the machine's time";
}

TEST_F(MachineEvents, WaitsAreToldWithTheirCall) {
  kernel(stream(), 1'000);
  const Caller caller{.thread = 1, .function = "cudaDeviceSynchronize"};
  machine_.synchronize_device(caller);
  EXPECT_EQ(log_.totals().waits.at("cudaDeviceSynchronize device"), 1U);
}

}  // namespace
}  // namespace stepgate::emulator
