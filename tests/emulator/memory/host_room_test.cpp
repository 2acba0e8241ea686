#include "emulator/memory/host_room.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate::emulator {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t gib = 1ULL << 30U;

HostRoom room_of(std::uint64_t memory_bytes) {
  HostRoom room;
  room.memory_bytes = memory_bytes;
  return room;
}

TEST(HostRoom, ReadsWhatTheHostSays) {
  const TemporaryFolder root;
  root.write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:    8388608 kB\n");
  root.write("proc/sys/vm/overcommit_memory", "1\n");
  root.write("proc/self/cgroup", "0::/jobs/one\n");
  root.write("sys/fs/cgroup/jobs/memory.max", "4294967296\n");
  root.write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  const HostRoom room = read_host_room(root.path().string());
  EXPECT_EQ(room.memory_bytes, 16 * gib);
  EXPECT_EQ(room.overcommit, 1);
  EXPECT_EQ(room.limit_bytes, 4 * gib) << "of a group around it";
}

TEST(HostRoom, AHostWithoutControlGroupsHasNoLimit) {
  const TemporaryFolder root;
  root.write("proc/meminfo", "MemTotal: 1024 kB\n");
  const HostRoom room = read_host_room(root.path().string());
  EXPECT_EQ(room.limit_bytes, std::nullopt);
  EXPECT_EQ(room.memory_bytes, 1ULL << 20U);
}

TEST(HostRoom, DevicesNeedAddressSpaceAlone) {
  EXPECT_EQ(lack_of_room(read_machine_options("h100:8"), room_of(2 * gib)), "");
}

TEST(HostRoom, AHostThatCountsAddressSpaceIsRefused) {
  HostRoom room = room_of(64 * gib);
  room.overcommit = 2;
  EXPECT_THAT(lack_of_room(read_machine_options("h100:2"), room),
              AllOf(HasSubstr("158.4 GiB"), HasSubstr("overcommit_memory"), HasSubstr("memory_mib=")));
}

TEST(HostRoom, ALimitOfAddressSpaceIsRefused) {
  HostRoom room = room_of(64 * gib);
  room.address_limit_bytes = 10 * gib;
  EXPECT_THAT(lack_of_room(read_machine_options("t4"), room),
              AllOf(HasSubstr("14.8 GiB"), HasSubstr("10.0 GiB"), HasSubstr("ulimit -v")));
  EXPECT_EQ(lack_of_room(read_machine_options("t4 memory_mib=4096"), room), "");
}

TEST(HostRoom, ValuesMayTakeHalfOfTheMemory) {
  EXPECT_EQ(lack_of_memory(room_of(16 * gib), 8 * gib), "");
  EXPECT_EQ(lack_of_memory(HostRoom(), 8 * gib), "") << "nobody knows how much there is";
  EXPECT_THAT(lack_of_memory(room_of(16 * gib), 9 * gib),
              AllOf(HasSubstr("9.0 GiB"), HasSubstr("16.0 GiB"), HasSubstr("this host"), HasSubstr("mode=counts")));
  HostRoom limited = room_of(16 * gib);
  limited.limit_bytes = 4 * gib;
  EXPECT_THAT(lack_of_memory(limited, 3 * gib), AllOf(HasSubstr("4.0 GiB"), HasSubstr("control group")));
}

}  // namespace
}  // namespace stepgate::emulator
