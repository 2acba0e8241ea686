#include "emulator/nvml/nvml_events.h"

#include <gtest/gtest.h>

#include <string>

namespace stepgate::emulator {
namespace {

/// Events of a machine whose time passes only while somebody waits for one.
struct Events {
  explicit Events(const std::string& script)
      : devices(read_machine_options("h100:2"), read_device_script(script),
                {.milliseconds = [this] { return now_ms; }}) {
    devices.start();
  }
  std::int64_t now_ms = 0;
  NvmlDevices devices;
  NvmlEvents events{devices, [this](std::int64_t ms) { now_ms += ms; }};
};

TEST(NvmlEvents, AFaultComesOnce) {
  Events machine("gpu 1 after 20 ms xid 48\n");
  const std::uintptr_t set = machine.events.create();
  ASSERT_EQ(machine.events.watch_faults(set, 1), NvmlOutcome::ok);
  const auto event = machine.events.wait(set, 1000);
  ASSERT_EQ(event.outcome, NvmlOutcome::ok);
  EXPECT_EQ(event.value.place, 1);
  EXPECT_EQ(event.value.xid, 48);
  EXPECT_EQ(machine.now_ms, 20);
  EXPECT_EQ(machine.events.wait(set, 100).outcome, NvmlOutcome::timeout);
  EXPECT_EQ(machine.now_ms, 120);
}

TEST(NvmlEvents, AFaultThatIsThereAlreadyIsNone) {
  Events machine("gpu 0 xid 31\n");
  const std::uintptr_t set = machine.events.create();
  ASSERT_EQ(machine.events.watch_faults(set, 0), NvmlOutcome::ok);
  EXPECT_EQ(machine.events.wait(set, 0).outcome, NvmlOutcome::timeout);
}

TEST(NvmlEvents, ADeviceThatIsNotWatchedTellsNothing) {
  Events machine("gpu 1 after 5 ms xid 31\n");
  const std::uintptr_t set = machine.events.create();
  ASSERT_EQ(machine.events.watch_faults(set, 0), NvmlOutcome::ok);
  EXPECT_EQ(machine.events.wait(set, 50).outcome, NvmlOutcome::timeout);
}

TEST(NvmlEvents, ASetThatIsGoneIsRefused) {
  Events machine("");
  const std::uintptr_t set = machine.events.create();
  EXPECT_NE(set, 0U);
  EXPECT_EQ(machine.events.destroy(set), NvmlOutcome::ok);
  EXPECT_EQ(machine.events.destroy(set), NvmlOutcome::invalid_argument);
  EXPECT_EQ(machine.events.watch_faults(set, 0), NvmlOutcome::invalid_argument);
  EXPECT_EQ(machine.events.wait(set, 1000).outcome, NvmlOutcome::invalid_argument);
  EXPECT_EQ(machine.now_ms, 0);
}

}  // namespace
}  // namespace stepgate::emulator
