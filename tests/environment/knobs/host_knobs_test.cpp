#include "environment/knobs/host_knobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string_view>

#include "environment/golden_trees.h"
#include "environment/knobs/cpu_idle_knob.h"
#include "environment/plan_text.h"
#include "environment/stub_host.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const HostWishes core_of_two_threads{{2}, {3}, {0, 1}};

std::vector<std::string> settled_states(const KnobPlan& plan) {
  std::vector<std::string> states;
  for (const KnobReport& one : plan.settled) states.push_back(fmt::format("{} {}", one.name, name_of(one.state)));
  return states;
}

TEST(HostKnobs, EveryRowHasANameOfItsOwnAndSaysWhatItSets) {
  std::set<std::string_view> names;
  for (const HostKnob& knob : host_knobs()) {
    EXPECT_TRUE(names.insert(knob.name).second) << knob.name;
    EXPECT_FALSE(knob.sets.empty()) << knob.name;
    EXPECT_EQ(find_host_knob(knob.name), &knob);
  }
  EXPECT_EQ(find_host_knob("governer"), nullptr);
}

TEST(HostKnobs, AKnobIsMovedByAnotherOneThatIsRestoredInTheSameRun) {
  for (const HostKnob& knob : host_knobs()) {
    if (knob.moved_by.empty()) continue;
    EXPECT_NE(find_host_knob(knob.moved_by), nullptr) << knob.name;
    EXPECT_EQ(mover_of(knob.name), knob.moved_by);
  }
  EXPECT_EQ(mover_of("a knob of a newer stepgate"), "");
}

TEST(HostKnobs, EveryPlanIsAboutTheKnobOfItsRow) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  for (const HostKnob& knob : host_knobs()) {
    const KnobPlan plan = plan_of(knob, host, core_of_two_threads);
    for (const KnobChange& one : plan.changes) EXPECT_EQ(one.knob, knob.name);
    for (const KnobReport& one : plan.settled) EXPECT_EQ(one.name, knob.name);
    EXPECT_TRUE(knob.of_gpu || !plan.changes.empty() || !plan.settled.empty()) << knob.name;
  }
}

TEST(HostPlan, GoesInTheOrderOfApplicationOnALaptop) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  const KnobPlan plan = plan_host_knobs(host, core_of_two_threads);
  EXPECT_THAT(changed_knobs(plan), ElementsAre("interrupts", "partition", "governor", "energy_preference",
                                               "frequency_limits", "turbo", "nmi_watchdog"));
  EXPECT_THAT(settled_states(plan), ElementsAre("numa_balancing already", "cpu_idle available"));
  EXPECT_THAT(host.writes(), IsEmpty());
}

TEST(HostPlan, OfAnAmdDesktop) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  const StubHost host(root.path());
  const KnobPlan plan = plan_host_knobs(host, {{1, 2}, {}, {0}});
  EXPECT_THAT(changed_knobs(plan), ElementsAre("interrupts", "partition", "governor", "frequency_limits", "turbo"));
  EXPECT_THAT(settled_states(plan), ElementsAre("energy_preference unsupported", "numa_balancing already",
                                                "nmi_watchdog already", "cpu_idle available"));
}

TEST(HostPlan, OfTwoSocketsWithAGpu) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  const StubHost host(root.path());
  const KnobPlan plan = plan_host_knobs(host, {{4, 5}, {}, {0}});
  EXPECT_THAT(changed_knobs(plan), ElementsAre("interrupts", "partition", "governor", "energy_preference",
                                               "frequency_limits", "turbo", "numa_balancing", "nmi_watchdog"));
  EXPECT_THAT(settled_states(plan), ElementsAre("cpu_idle available"));
}

TEST(HostPlan, OfAVirtualMachine) {
  const FakeRoot root;
  write_virtual_machine(root);
  const StubHost host(root.path());
  const KnobPlan plan = plan_host_knobs(host, {{1}, {}, {0}});
  EXPECT_THAT(change_lines(plan.changes),
              ElementsAre("interrupts file /proc/irq/default_smp_affinity: 3 -> 1, rank 70",
                          "interrupts file /proc/irq/24/smp_affinity_list: 0-1 -> 0, rank 70"));
  EXPECT_THAT(settled_states(plan),
              ElementsAre("partition unsupported", "governor unsupported", "energy_preference unsupported",
                          "frequency_limits unsupported", "turbo unsupported", "numa_balancing already",
                          "nmi_watchdog already", "cpu_idle available"));
}

TEST(HostPlan, MeasuresOnFastAndSmallCores) {
  const FakeRoot root;
  write_hybrid_cores(root);
  const StubHost host(root.path());
  const KnobPlan plan = plan_host_knobs(host, {{2, 4}, {3}, {0, 1}});
  EXPECT_THAT(changed_knobs(plan), ElementsAre("interrupts", "partition", "governor", "energy_preference",
                                               "frequency_limits", "turbo", "nmi_watchdog"));
}

TEST(HostPlan, GivesEveryKnobAReasonAndARemedyWhereAllIsDenied) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  StubHost host(root.path());
  for (const char* folder : {"/sys", "/proc", "/dev"}) host.refuse_opening(folder, EACCES);
  const KnobPlan plan = plan_host_knobs(host, {{4, 5}, {}, {0}});
  EXPECT_THAT(plan.changes, IsEmpty());
  EXPECT_THAT(plan.settled, SizeIs(9));
  for (const KnobReport& one : plan.settled) {
    EXPECT_EQ(one.state, KnobState::denied) << one.name;
    EXPECT_EQ(one.mode, GuardMode::host) << one.name;
    EXPECT_EQ(one.error, EACCES) << one.name;
    EXPECT_THAT(one.reason, HasSubstr("Permission denied")) << one.name;
    EXPECT_THAT(one.remedy, HasSubstr("sudo")) << one.name;
    EXPECT_NE(one.wanted, "") << one.name;
  }
}

TEST(HostPlan, OnlyReadsThisMachine) {
  const SystemFiles files("/");
  const KnobPlan plan = plan_host_knobs(files, {{0}, {}, {}});
  EXPECT_FALSE(plan.changes.empty() && plan.settled.empty());
}

TEST(CpuIdleKnob, IsLeftToWhoeverHoldsTheFileOpen) {
  StubHost host;
  EXPECT_THAT(settled_lines(planned("cpu_idle", host).settled), ElementsAre(HasSubstr("cpu_idle unsupported")));
  host.put(cpu_latency_file, "");
  const KnobPlan plan = planned("cpu_idle", host);
  EXPECT_THAT(plan.changes, IsEmpty());
  ASSERT_THAT(plan.settled, SizeIs(1));
  EXPECT_EQ(plan.settled[0].state, KnobState::available);
  EXPECT_EQ(plan.settled[0].mode, GuardMode::host);
  host.refuse_opening(cpu_latency_file, EACCES);
  EXPECT_THAT(settled_states(planned("cpu_idle", host)), ElementsAre("cpu_idle denied"));
}

}  // namespace
}  // namespace stepgate
