#include "environment/knobs/kernel_switch_knobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "environment/golden_trees.h"
#include "environment/plan_text.h"
#include "environment/stub_host.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(KernelSwitchKnobs, AreSwitchedOff) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("numa_balancing", host).changes),
              ElementsAre("numa_balancing file /proc/sys/kernel/numa_balancing: 1 -> 0, rank 60"));
  EXPECT_THAT(change_lines(planned("nmi_watchdog", host).changes),
              ElementsAre("nmi_watchdog file /proc/sys/kernel/nmi_watchdog: 1 -> 0, rank 60"));
  EXPECT_THAT(host.writes(), IsEmpty());
}

TEST(KernelSwitchKnobs, RememberTheOriginalMode) {
  const FakeRoot root;
  write_kernel_switches(root, "2", "0");  // 2: memory tiering
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("numa_balancing", host).changes), ElementsAre(HasSubstr("2 -> 0")));
  EXPECT_THAT(settled_lines(planned("nmi_watchdog", host).settled), ElementsAre("nmi_watchdog already: it is off"));
}

TEST(KernelSwitchKnobs, AreUnsupportedByAKernelWithoutThem) {
  const StubHost host;
  EXPECT_THAT(settled_lines(planned("numa_balancing", host).settled),
              ElementsAre(HasSubstr("numa_balancing unsupported")));
  EXPECT_THAT(settled_lines(planned("nmi_watchdog", host).settled), ElementsAre(HasSubstr("nmi_watchdog unsupported")));
}

TEST(KernelSwitchKnobs, AreDeniedInAnUnprivilegedContainer) {
  const FakeRoot root;
  write_kernel_switches(root, "1", "1");
  root.write(".dockerenv", "");
  root.write("proc/self/status", "Uid:\t1000\t1000\t1000\t1000\n");
  StubHost host(root.path());
  host.refuse_opening("/proc/sys", EROFS);
  const KnobPlan plan = planned("nmi_watchdog", host);
  EXPECT_THAT(plan.changes, IsEmpty());
  ASSERT_THAT(plan.settled, SizeIs(1));
  EXPECT_EQ(plan.settled[0].state, KnobState::denied);
  EXPECT_THAT(plan.settled[0].remedy, HasSubstr("--privileged and as root"));
}

}  // namespace
}  // namespace stepgate
