#include "emulator/machine/value_room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t gib_of_room = 1ULL << 30U;

/// A program with values on a host of 8 GiB.
class ValueRoomTest : public testing::Test {
 protected:
  ValueRoomTest() { machine_.add_observer(room_); }

  static HostRoom host() {
    HostRoom room;
    room.memory_bytes = 8 * gib_of_room;
    return room;
  }

  const Caller me_{.thread = 1, .function = "call"};
  std::string lack_;
  ValueRoom room_{host(), [this](const std::string& lack) { lack_ = lack; }};
  EmulatedMachine machine_{read_machine_options("h100 mode=values")};
};

TEST_F(ValueRoomTest, HalfOfTheHostMayBeHeld) {
  machine_.allocate(me_, 3 * gib_of_room);
  machine_.allocate_host(me_, gib_of_room);
  EXPECT_EQ(lack_, "");
  machine_.allocate(me_, 1);
  EXPECT_THAT(lack_, HasSubstr("8.0 GiB of this host"));
}

TEST_F(ValueRoomTest, WhatIsFreedIsHeldNoMore) {
  for (int round = 0; round < 3; ++round) {
    void* memory = machine_.allocate(me_, 3 * gib_of_room).address;
    ASSERT_EQ(machine_.free(me_, memory), Outcome::ok);
  }
  EXPECT_EQ(lack_, "");
}

TEST_F(ValueRoomTest, MappedAndPooledMemoryCountsTheProgramsOwnDoesNot) {
  char own = 0;
  machine_.register_host(me_, &own, 1);
  room_.allocated({.kind = MemoryKind::registered, .bytes = 100 * gib_of_room});
  machine_.create_physical(0, 2 * gib_of_room);
  machine_.allocate_async(me_, 2 * gib_of_room, default_stream);
  EXPECT_EQ(lack_, "");
  machine_.allocate_async(me_, 1, default_stream);
  EXPECT_THAT(lack_, HasSubstr("more than half"));
}

}  // namespace
}  // namespace stepgate::emulator
