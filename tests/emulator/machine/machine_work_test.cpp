#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "emulator/machine/machine_fixture.h"
#include "emulator/memory/host_pages.h"

namespace stepgate::emulator {
namespace {

using MachineCopies = MachineTest;
using MachineValues = MachineTest;
using MachineCollectives = MachineTest;

class MachineCounts : public MachineTest {
 protected:
  MachineCounts() : MachineTest("h100 moved_mib=1") {}
};

class MachineSmallValues : public MachineTest {
 protected:
  MachineSmallValues() : MachineTest("h100 mode=values moved_mib=1") {}
};

constexpr std::uint64_t mebibytes = 1ULL << 20U;

TEST_F(MachineCopies, PinnedBytesAreReadWhenTheCopyRuns) {
  const StreamHandle one = stream();
  char* device = device_bytes(8);
  char* host = pinned_bytes(8);
  std::strcpy(host, "before");
  ASSERT_EQ(copy(device, host, 8, one), Outcome::ok);
  std::strcpy(host, "after");  // too early: the copy has not run
  synchronize(one);
  EXPECT_STREQ(device, "after");
}

TEST_F(MachineCopies, PageableBytesAreReadAtOnce) {
  const StreamHandle one = stream();
  char* device = device_bytes(8);
  std::string host = "before_";
  ASSERT_EQ(copy(device, host.data(), 8, one), Outcome::ok);
  host = "after__";
  EXPECT_STREQ(device, "") << "the device has not run it";
  synchronize(one);
  EXPECT_STREQ(device, "before_");
}

TEST_F(MachineCopies, ACopyToPageableMemoryWaitsForTheStream) {
  const StreamHandle one = stream();
  char* device = device_bytes(8);
  std::string host(8, 'x');
  kernel(one, 1'000'000, 'k');
  machine_.set(me_, {.to = device, .value = 'v', .bytes = 8, .stream = one});
  ASSERT_EQ(copy(host.data(), device, 8, one), Outcome::ok);
  EXPECT_EQ(host, "vvvvvvvv");
  EXPECT_EQ(written_, "k");
  EXPECT_EQ(log_.totals().waits.at("call copy"), 1U);
  EXPECT_EQ(log_.totals().copies.at("device_to_host pageable").bytes, 8U);
}

TEST_F(MachineCopies, ACopyToPinnedMemoryDoesNotWait) {
  const StreamHandle one = stream();
  char* device = device_bytes(8);
  char* host = pinned_bytes(8);
  machine_.set(me_, {.to = device, .value = 'v', .bytes = 7, .stream = one});
  ASSERT_EQ(copy(host, device, 8, one), Outcome::ok);
  EXPECT_STREQ(host, "");
  synchronize(one);
  EXPECT_STREQ(host, "vvvvvvv");
  EXPECT_TRUE(log_.totals().waits.count("call copy") == 0);
  EXPECT_EQ(log_.totals().copies.at("device_to_host").count, 1U);
}

TEST_F(MachineCopies, ASynchronousCopyWaitsExceptInsideADevice) {
  char* one = device_bytes(8);
  char* other = device_bytes(8);
  char* host = pinned_bytes(8);
  std::strcpy(host, "values");
  machine_.copy(me_, {.to = one, .from = host, .bytes = 8, .synchronous = true});
  EXPECT_STREQ(one, "values");
  machine_.copy(me_, {.to = other, .from = one, .bytes = 8, .synchronous = true});
  EXPECT_STREQ(other, "");
  machine_.copy(me_, {.to = host, .from = other, .bytes = 8, .synchronous = true});
  EXPECT_STREQ(other, "values");
  EXPECT_EQ(log_.totals().waits.at("call copy"), 2U);
}

TEST_F(MachineCopies, CopiesBetweenDevicesAndRowsMove) {
  const StreamHandle one = stream();
  char* near = device_bytes(16, 0);
  char* far = device_bytes(16, 1);
  std::memcpy(near, "abcdefghijklmnop", 16);
  CopyRequest rows{.to = far, .from = near, .bytes = 2, .stream = one};
  rows.rows = 3;
  rows.to_pitch_bytes = 2;
  rows.from_pitch_bytes = 5;
  ASSERT_EQ(machine_.copy(me_, rows), Outcome::ok);
  synchronize(one);
  EXPECT_EQ(std::string(far, 6), "abfgkl");
  EXPECT_EQ(log_.totals().copies.at("peer").bytes, 6U);
}

TEST_F(MachineCopies, WhatLeavesItsBlockIsRefused) {
  const StreamHandle one = stream();
  char* device = device_bytes(8);
  char* host = pinned_bytes(8);
  EXPECT_EQ(copy(device + device_page_bytes - 4, host, 8, one), Outcome::invalid_value);
  EXPECT_EQ(copy(nullptr, host, 8, one), Outcome::invalid_value);
  EXPECT_EQ(machine_.set(me_, {.to = device, .bytes = device_page_bytes + 1, .stream = one}), Outcome::invalid_value);
  char own = 0;
  EXPECT_EQ(machine_.set(me_, {.to = &own, .bytes = 1, .stream = one}), Outcome::invalid_value) << "no device memory";
  EXPECT_EQ(machine_.set(me_, {.to = device, .value_bytes = 3, .bytes = 3, .stream = one}), Outcome::invalid_value);
  EXPECT_EQ(copy(device, host, 0, one), Outcome::ok);
  EXPECT_TRUE(log_.totals().copies.empty());
}

TEST_F(MachineCopies, AMemsetFillsUnitsOfItsWidth) {
  const StreamHandle one = stream();
  char* device = device_bytes(8);
  machine_.set(me_, {.to = device, .value = 0x64636261, .value_bytes = 4, .bytes = 8, .stream = one});
  machine_.set(me_, {.to = device + 6, .value = 0x7978, .value_bytes = 2, .bytes = 2, .stream = one});
  synchronize(one);
  EXPECT_EQ(std::string(device, 8), "abcdabxy");
  EXPECT_EQ(log_.totals().memsets.count, 2U);
  EXPECT_EQ(log_.totals().memsets.bytes, 10U);
}

TEST_F(MachineCounts, LargeCopiesAreCountedAndMoveNothing) {
  const StreamHandle one = stream();
  char* device = device_bytes(4 * mebibytes);
  char* host = pinned_bytes(4 * mebibytes);
  host[0] = 'x';
  ASSERT_EQ(copy(device, host, mebibytes, one), Outcome::ok);
  synchronize(one);
  EXPECT_EQ(device[0], 'x') << "up to the limit";
  host[0] = 'y';
  ASSERT_EQ(copy(device, host, mebibytes + 1, one), Outcome::ok);
  synchronize(one);
  EXPECT_EQ(device[0], 'x');
  const LoggedAmount copies = log_.totals().copies.at("host_to_device");
  EXPECT_EQ(copies.count, 2U);
  EXPECT_EQ(copies.not_moved, 1U);
  EXPECT_EQ(copies.bytes, 2 * mebibytes + 1);
}

TEST_F(MachineValues, AreComputedAfterTheWorkThatTheStreamHolds) {
  const StreamHandle one = stream();
  const StreamHandle other = stream();
  kernel(one, 1'000'000, 'a');
  ASSERT_EQ(machine_.add_effect(me_, one, [this] { written_ += 'A'; }), Outcome::ok);
  kernel(other, 2'000, 'b');
  ASSERT_EQ(machine_.add_effect(me_, other, [this] { written_ += 'B'; }), Outcome::ok);
  machine_.synchronize_device(me_);
  EXPECT_EQ(written_, "bBaA");
}

TEST_F(MachineSmallValues, LargeCopiesMoveTheirBytes) {
  const StreamHandle one = stream();
  char* device = device_bytes(2 * mebibytes);
  machine_.set(me_, {.to = device, .value = 'a', .bytes = 2 * mebibytes, .stream = one});
  synchronize(one);
  EXPECT_EQ(device[2 * mebibytes - 1], 'a');
  EXPECT_EQ(log_.totals().memsets.not_moved, 0U);
}

TEST_F(MachineValues, ReplaceTheBytesOfAnOperatorsOwnCopiesAndMemsets) {
  const StreamHandle one = stream();
  char* to = device_bytes(8);
  char* from = device_bytes(8);
  from[0] = 'f';
  machine_.copy(me_, {.to = to, .from = from, .bytes = 8, .stream = one, .has_values = false});
  machine_.set(me_, {.to = from, .value = 's', .bytes = 8, .stream = one, .has_values = false});
  const std::string host = "hosts__";
  machine_.copy(me_, {.to = to + 1, .from = host.data(), .bytes = 1, .stream = one, .has_values = false});
  synchronize(one);
  EXPECT_EQ(to[0], '\0');
  EXPECT_EQ(from[0], 'f');
  EXPECT_EQ(to[1], 'h') << "nothing but this copy brings what the host holds";
  EXPECT_EQ(log_.totals().memsets.count, 1U);
}

TEST_F(MachineValues, AreThereAfterSettlingWithoutAWait) {
  const StreamHandle one = stream();
  const StreamHandle other = stream();
  kernel(one, 1'000'000, 'a');
  kernel(other, 2'000'000, 'b');
  const std::int64_t before_ns = now_ns();
  EXPECT_EQ(machine_.settle_stream(me_, one), Outcome::ok);
  EXPECT_EQ(written_, "a") << "the other stream ends later";
  EXPECT_EQ(now_ns(), before_ns);
  EXPECT_TRUE(log_.totals().waits.empty());
  EXPECT_EQ(machine_.settle_stream(me_, 12345), Outcome::invalid_handle);
}

TEST_F(MachineValues, AQueryThatSaysDoneHasComputedThem) {
  const StreamHandle one = stream();
  kernel(one, 5'000, 'a');
  while (machine_.query_stream(me_, one) == Outcome::not_ready) {
  }
  EXPECT_EQ(written_, "a");
}

TEST_F(MachineValues, AHostFunctionMayCallTheMachine) {
  const StreamHandle one = stream();
  Outcome inside = Outcome::invalid_value;
  machine_.submit(me_, one, {.kind = OperationKind::host_function, .cost_ns = 10, .effect = [&] {
                               inside = machine_.query_stream(me_, one);
                             }});
  EXPECT_EQ(synchronize(one), Outcome::ok);
  EXPECT_EQ(inside, Outcome::ok);
}

TEST_F(MachineCollectives, MeetAfterTheirInputsAndEndTogether) {
  const StreamHandle one = stream();
  kernel(one, 1'000'000, 'a');
  std::string seen;
  Operation operation{.kind = OperationKind::collective, .name = "all_reduce", .bytes = 64};
  operation.meet = [&](std::int64_t begin_ns) {
    seen = written_;
    return Meeting{begin_ns + 7'000'000};
  };
  ASSERT_EQ(machine_.submit(me_, one, operation), Outcome::ok);
  EXPECT_EQ(seen, "a") << "the input was there";
  EXPECT_LT(now_ns(), 1'000'000) << "and the host did not wait for it";
  EXPECT_EQ(machine_.query_stream(me_, one), Outcome::not_ready);
  synchronize(one);
  EXPECT_GE(now_ns(), 8'000'000);
  EXPECT_EQ(log_.totals().collectives.at("all_reduce").bytes, 64U);
}

TEST_F(MachineCollectives, CannotEndBeforeTheyBegin) {
  const StreamHandle one = stream();
  kernel(one, 1'000'000);
  Operation operation{.kind = OperationKind::collective, .name = "all_reduce"};
  operation.meet = [](std::int64_t) { return Meeting{5}; };
  machine_.submit(me_, one, operation);
  synchronize(one);
  EXPECT_GE(now_ns(), 1'000'000);
}

}  // namespace
}  // namespace stepgate::emulator
