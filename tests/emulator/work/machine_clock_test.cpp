#include "emulator/work/machine_clock.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

TEST(VirtualClock, OnlyCallsAndWaitsAdvanceIt) {
  VirtualClock clock;
  EXPECT_EQ(clock.now_ns(), 0);
  EXPECT_EQ(clock.now_ns(), 0);
  clock.spend_call();
  EXPECT_EQ(clock.now_ns(), host_call_ns);
  clock.wait_until(1'000'000);
  EXPECT_EQ(clock.now_ns(), 1'000'000);
  clock.spend_call();
  EXPECT_EQ(clock.now_ns(), 1'000'000 + host_call_ns);
}

TEST(VirtualClock, NeverGoesBack) {
  VirtualClock clock;
  clock.wait_until(500);
  clock.wait_until(100);
  EXPECT_EQ(clock.now_ns(), 500);
}

TEST(RealClock, AWaitEndsAtItsTimeOrLater) {
  RealClock clock;
  const std::int64_t end_ns = clock.now_ns() + 2'000'000;
  clock.spend_call();
  clock.wait_until(end_ns);
  EXPECT_GE(clock.now_ns(), end_ns);
  clock.wait_until(end_ns - 1'000'000'000);
}

TEST(MachineClock, IsOfTheKindThatIsAskedFor) {
  EXPECT_NE(dynamic_cast<VirtualClock*>(make_clock(ClockKind::virtual_time).get()), nullptr);
  EXPECT_NE(dynamic_cast<RealClock*>(make_clock(ClockKind::real_time).get()), nullptr);
}

}  // namespace
}  // namespace stepgate::emulator
