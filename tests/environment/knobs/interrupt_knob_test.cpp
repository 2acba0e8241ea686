#include "environment/knobs/interrupt_knob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "environment/golden_trees.h"
#include "environment/plan_text.h"
#include "environment/stub_host.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const HostWishes wishes_of_second_core{{2}, {3}, {0, 1}};

TEST(InterruptKnob, PausesTheDaemonThenEmptiesTheMeasuredCore) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  const KnobPlan plan = planned("interrupts", host, wishes_of_second_core);
  EXPECT_THAT(change_lines(plan.changes),
              ElementsAre("interrupts paused_process 812 2345: running -> stopped, rank 80",
                          "interrupts file /proc/irq/default_smp_affinity: ff -> f3, rank 70",
                          "interrupts file /proc/irq/1/smp_affinity_list: 0-7 -> 0-1,4-7, rank 70",
                          "interrupts file /proc/irq/125/smp_affinity_list: 2 -> 0-1, rank 70",
                          "interrupts file /proc/irq/130/smp_affinity_list: 2-3,6 -> 6, rank 70"));
  EXPECT_THAT(plan.settled, IsEmpty());
  EXPECT_THAT(host.writes(), IsEmpty());
}

TEST(InterruptKnob, IsTheSameOnPlainFiles) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  const SystemFiles files(root.path());
  EXPECT_EQ(planned("interrupts", files, wishes_of_second_core).changes,
            planned("interrupts", host, wishes_of_second_core).changes);
}

TEST(InterruptKnob, AlsoEmptiesTheSiblingThread) {
  const FakeRoot root;
  write_interrupts(root, "3", {{24, "3,5"}});
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("interrupts", host, wishes_of_second_core).changes),
              ElementsAre("interrupts file /proc/irq/24/smp_affinity_list: 3,5 -> 5, rank 70"));
}

TEST(InterruptKnob, KeepsTheWidthOfMasks) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  const StubHost host(root.path());
  const KnobPlan plan = planned("interrupts", host, {{4, 5}, {}, {0}});
  EXPECT_THAT(change_lines(plan.changes),
              ElementsAre("interrupts paused_process 900 2345: running -> stopped, rank 80",
                          "interrupts file /proc/irq/default_smp_affinity: 00000000,000000ff -> "
                          "00000000,000000cf, rank 70",
                          "interrupts file /proc/irq/200/smp_affinity_list: 4-7 -> 6-7, rank 70",
                          "interrupts file /proc/irq/201/smp_affinity_list: 5 -> 0, rank 70"));
}

TEST(InterruptKnob, LeavesAStoppedDaemonStopped) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  ASSERT_EQ(host.send_signal(812, SIGSTOP), 0);
  EXPECT_THAT(change_lines(planned("interrupts", host, wishes_of_second_core).changes),
              Not(Contains(HasSubstr("paused_process"))));
}

TEST(InterruptKnob, PausesEveryDaemonAndNothingOfASimilarName) {
  const FakeRoot root;
  write_intel_laptop(root);
  write_process(root, 813, "irqbalance-ui");
  write_process(root, 90, "irqbalance");
  const StubHost host(root.path());
  const auto lines = change_lines(planned("interrupts", host, wishes_of_second_core).changes);
  EXPECT_EQ(lines[0], "interrupts paused_process 90 2345: running -> stopped, rank 80");
  EXPECT_EQ(lines[1], "interrupts paused_process 812 2345: running -> stopped, rank 80");
  EXPECT_THAT(lines[2], HasSubstr("default_smp_affinity"));
}

TEST(InterruptKnob, DoesNotSendInterruptsToCpusThatAreOff) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.put("/proc/irq/1/smp_affinity_list", "2,64-127");
  EXPECT_THAT(change_lines(planned("interrupts", host, wishes_of_second_core).changes),
              Contains("interrupts file /proc/irq/1/smp_affinity_list: 2,64-127 -> 0-1, rank 70"));
}

TEST(InterruptKnob, PausesTheDaemonEvenIfNoInterruptMoves) {
  const FakeRoot root;
  write_interrupts(root, "3", {{24, "0-1"}});
  write_process(root, 812, "irqbalance");
  const StubHost host(root.path());
  EXPECT_THAT(planned("interrupts", host, wishes_of_second_core).changes, SizeIs(1));
}

TEST(InterruptKnob, HasNothingToDoWhereInterruptsAreElsewhere) {
  const FakeRoot root;
  write_interrupts(root, "3", {{24, "0-1"}});
  const StubHost host(root.path());
  const KnobPlan plan = planned("interrupts", host, wishes_of_second_core);
  EXPECT_THAT(plan.changes, IsEmpty());
  EXPECT_THAT(settled_lines(plan.settled), ElementsAre("interrupts already: no interrupt may come to CPU 2-3"));
  EXPECT_EQ(plan.settled[0].mode, GuardMode::host);
}

TEST(InterruptKnob, LeavesInterruptsThatHaveNoOtherCpu) {
  const FakeRoot root;
  write_virtual_machine(root);
  write_process(root, 812, "irqbalance");
  const StubHost host(root.path());
  const KnobPlan plan = planned("interrupts", host, {{0, 1}, {}, {}});
  EXPECT_THAT(plan.changes, IsEmpty());
  ASSERT_THAT(plan.settled, SizeIs(1));
  EXPECT_EQ(plan.settled[0].state, KnobState::unsupported);
  EXPECT_THAT(plan.settled[0].remedy, HasSubstr("leave a core free"));
}

TEST(InterruptKnob, IsUnsupportedWithoutAListOfInterrupts) {
  const StubHost host;
  EXPECT_THAT(settled_lines(planned("interrupts", host, wishes_of_second_core).settled),
              ElementsAre("interrupts unsupported: this kernel shows no interrupts: there is no /proc/irq"));
}

TEST(InterruptKnob, IsDeniedWithoutPrivileges) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.refuse_opening("/proc/irq", EACCES);
  const KnobPlan plan = planned("interrupts", host, wishes_of_second_core);
  EXPECT_THAT(plan.changes, IsEmpty()) << "the daemon neither";
  ASSERT_THAT(plan.settled, SizeIs(1));
  EXPECT_EQ(plan.settled[0].state, KnobState::denied);
  EXPECT_EQ(plan.settled[0].error, EACCES);
  EXPECT_EQ(plan.settled[0].before, "5 values");
  EXPECT_EQ(plan.settled[0].reason, "/proc/irq/default_smp_affinity may not be written: Permission denied");
  EXPECT_EQ(plan.settled[0].remedy, "run as root: sudo stepgate ... --guard host");
}

TEST(InterruptKnob, PointsToTheHostFromAContainer) {
  const FakeRoot root;
  write_intel_laptop(root);
  root.write(".dockerenv", "");
  root.write("proc/self/status", "Name:\tstepgate\nUid:\t0\t0\t0\t0\n");
  StubHost host(root.path());
  host.refuse_opening("/proc/irq", EROFS);
  const KnobPlan plan = planned("interrupts", host, wishes_of_second_core);
  ASSERT_THAT(plan.settled, SizeIs(1));
  EXPECT_EQ(plan.settled[0].error, EROFS);
  EXPECT_EQ(plan.settled[0].remedy, "needs the host: run the container with --privileged, or configure the host");
}

}  // namespace
}  // namespace stepgate
