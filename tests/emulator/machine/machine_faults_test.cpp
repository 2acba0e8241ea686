#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/machine/machine_fixture.h"

namespace stepgate::emulator {
namespace {

using MachineFaults = MachineTest;

class ScriptedFault : public MachineTest {
 protected:
  ScriptedFault() : MachineTest("h100:2", "gpu 0 after 3 operations xid 79\ngpu 1 xid 48\n") {}
};

/// A device that falls off the bus after 2 ms of the machine's time, while a kernel runs for 5 ms.
class FaultInTime : public MachineTest {
 protected:
  FaultInTime() : MachineTest("h100:2", "gpu 0 after 2 ms xid 79\n") {
    EXPECT_EQ(kernel(one_, 5'000'000), Outcome::ok);
    EXPECT_EQ(machine_.record_event(me_, done_, one_), Outcome::ok);
  }

  const StreamHandle one_ = stream();
  const EventHandle done_ = event();
};

TEST_F(MachineFaults, AFaultStays) {
  const StreamHandle one = stream();
  const EventHandle done = event();
  char own = 0;
  EXPECT_EQ(machine_.device_outcome(0), Outcome::ok);
  machine_.fail_device(0, Outcome::illegal_address);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(kernel(one, 1), Outcome::illegal_address);
    EXPECT_EQ(synchronize(one), Outcome::illegal_address);
    EXPECT_EQ(machine_.query_stream(me_, one), Outcome::illegal_address);
    EXPECT_EQ(machine_.synchronize_device(me_), Outcome::illegal_address);
    EXPECT_EQ(machine_.query_event(me_, done), Outcome::illegal_address);
    EXPECT_EQ(machine_.allocate(me_, 8).outcome, Outcome::illegal_address);
    EXPECT_EQ(machine_.create_stream(me_, {}).outcome, Outcome::illegal_address);
    EXPECT_EQ(machine_.create_event(me_, {}).outcome, Outcome::illegal_address);
    EXPECT_EQ(machine_.elapsed(done, done).outcome, Outcome::illegal_address);
    EXPECT_EQ(machine_.allocate_host(me_, 8).outcome, Outcome::illegal_address);
    EXPECT_EQ(machine_.register_host(me_, &own, 1), Outcome::illegal_address);
  }
}

TEST_F(MachineFaults, TheOtherDeviceWorksOn) {
  machine_.fail_device(0, Outcome::device_lost);
  EXPECT_EQ(machine_.submit(on_device(1), stream(1), {.cost_ns = 1}), Outcome::ok);
  EXPECT_EQ(machine_.synchronize_device(on_device(1)), Outcome::ok);
}

TEST_F(ScriptedFault, ComesAfterItsOperations) {
  const StreamHandle one = stream();
  for (int work = 0; work < 3; ++work) EXPECT_EQ(kernel(one, 1), Outcome::ok) << work;
  EXPECT_EQ(machine_.operations_of(0), 3);
  EXPECT_EQ(kernel(one, 1), Outcome::device_lost);
  EXPECT_EQ(synchronize(one), Outcome::device_lost);
}

TEST_F(FaultInTime, EndsAWaitForTheStream) {
  EXPECT_EQ(synchronize(one_), Outcome::device_lost);
  EXPECT_EQ(machine_.device_outcome(0), Outcome::device_lost);
}

TEST_F(FaultInTime, EndsAWaitForTheDevice) { EXPECT_EQ(machine_.synchronize_device(me_), Outcome::device_lost); }

TEST_F(FaultInTime, EndsAWaitForAnEvent) { EXPECT_EQ(machine_.synchronize_event(me_, done_), Outcome::device_lost); }

TEST_F(FaultInTime, EndsACopyThatWaits) {
  char own = 0;
  char* device = device_bytes(1);
  EXPECT_EQ(copy(&own, device, 1, one_), Outcome::device_lost);
}

TEST_F(FaultInTime, EndsAFree) {
  char* device = device_bytes(1);
  EXPECT_EQ(machine_.free(me_, device), Outcome::device_lost);
}

TEST_F(FaultInTime, EndsAFreeOfPageLockedMemory) {
  char* pinned = pinned_bytes(1);
  EXPECT_EQ(machine_.free_host(me_, pinned), Outcome::device_lost);
  EXPECT_TRUE(machine_.block_of(pinned).has_value()) << "as of memory of a device";
}

TEST_F(FaultInTime, IsSeenByAQuestion) {
  EXPECT_EQ(machine_.query_stream(me_, one_), Outcome::not_ready);
  machine_.clock().wait_until(3'000'000);
  EXPECT_EQ(machine_.query_stream(me_, one_), Outcome::device_lost);
  EXPECT_EQ(machine_.query_event(in_thread(9), done_), Outcome::device_lost);
}

TEST_F(ScriptedFault, IsSeenByAWaitThatGivesNoWork) {
  const StreamHandle one = stream();
  for (int work = 0; work < 3; ++work) kernel(one, 1);
  EXPECT_EQ(machine_.synchronize_device(me_), Outcome::device_lost);
}

TEST_F(ScriptedFault, HasTheOutcomeOfItsNumber) {
  const StreamHandle of_second = stream(1);
  EXPECT_EQ(machine_.submit(on_device(1), of_second, {.cost_ns = 1}), Outcome::uncorrectable_memory);
  EXPECT_EQ(machine_.device_outcome(1), Outcome::uncorrectable_memory);
}

TEST(ShownMachine, CountsTheDevicesThatTheProcessSees) {
  EmulatedMachine machine(read_machine_options("a100:4"), "3,1", read_device_script("gpu 3 xid 31"));
  EXPECT_EQ(machine.devices(), 2);
  EXPECT_EQ(machine.place_of(0), 3);
  EXPECT_EQ(machine.place_of(1), 1);
  EXPECT_TRUE(machine.has_device(1));
  EXPECT_FALSE(machine.has_device(2));
  EXPECT_FALSE(machine.has_device(-1));
  EXPECT_EQ(machine.memory_bytes(), machine.model().memory_bytes);
  const Caller caller;
  EXPECT_EQ(machine.submit(caller, default_stream, {}), Outcome::illegal_address) << "the script counts places";
}

TEST(ShownMachine, MaySeeNothing) {
  EmulatedMachine machine(read_machine_options("a100"), "");
  EXPECT_EQ(machine.devices(), 0);
  const Caller caller;
  EXPECT_EQ(machine.allocate(caller, 8).outcome, Outcome::invalid_device);
  EXPECT_EQ(machine.submit(caller, default_stream, {}), Outcome::invalid_handle);
  EXPECT_EQ(machine.synchronize_device(caller), Outcome::invalid_device);
}

}  // namespace
}  // namespace stepgate::emulator
