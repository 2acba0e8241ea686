#include "environment/knobs/turbo_knob.h"

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

const HostWishes two_cores{{2, 3}, {}, {0}};

TEST(TurboKnob, IsOneSwitchOnIntel) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  const KnobPlan plan = planned("turbo", host, two_cores);
  EXPECT_THAT(change_lines(plan.changes),
              ElementsAre("turbo file /sys/devices/system/cpu/intel_pstate/no_turbo: 0 -> 1, rank 50"));
  EXPECT_THAT(host.writes(), IsEmpty());
}

TEST(TurboKnob, IsTheGlobalSwitchWhereAllPoliciesAgree) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("turbo", host, two_cores).changes),
              ElementsAre("turbo file /sys/devices/system/cpu/cpufreq/boost: 1 -> 0, rank 50"));
}

TEST(TurboKnob, IsSwitchedPerPolicyWhereOneDiffers) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  StubHost host(root.path());
  host.put("/sys/devices/system/cpu/cpufreq/policy0/boost", "0");  // the global switch would set it to 1 in the end
  EXPECT_THAT(change_lines(planned("turbo", host, two_cores).changes),
              ElementsAre("turbo file /sys/devices/system/cpu/cpufreq/policy2/boost: 1 -> 0, rank 51",
                          "turbo file /sys/devices/system/cpu/cpufreq/policy3/boost: 1 -> 0, rank 51"));
}

TEST(TurboKnob, IsSwitchedPerPolicyWithoutAGlobalSwitch) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  StubHost host(root.path());
  host.erase("/sys/devices/system/cpu/cpufreq/boost");
  host.put("/sys/devices/system/cpu/cpufreq/policy2/boost", "0");
  EXPECT_THAT(change_lines(planned("turbo", host, two_cores).changes),
              ElementsAre("turbo file /sys/devices/system/cpu/cpufreq/policy3/boost: 1 -> 0, rank 51"));
}

TEST(TurboKnob, IsLeftAloneWhereALimitWouldBeLost) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  StubHost host(root.path());
  host.put("/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq", "3000000");
  EXPECT_THAT(settled_lines(planned("turbo", host, two_cores).settled),
              ElementsAre("turbo unsupported: switching boost would lift the limit of 3000000 kHz that "
                          "/sys/devices/system/cpu/cpufreq/policy0 has now"));
  host.put("/sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "acpi-cpufreq");
  EXPECT_THAT(planned("turbo", host, two_cores).changes, SizeIs(1));
}

TEST(TurboKnob, IsSwitchedPerPolicyBesideALimitOfAnother) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  StubHost host(root.path());
  host.erase("/sys/devices/system/cpu/cpufreq/boost");
  host.put("/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq", "3000000");
  EXPECT_THAT(planned("turbo", host, two_cores).changes, SizeIs(2));
}

TEST(TurboKnob, HasNothingToDoWhereItIsOff) {
  const FakeRoot intel;
  write_intel_laptop(intel);
  StubHost laptop(intel.path());
  laptop.put("/sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  EXPECT_THAT(settled_lines(planned("turbo", laptop, two_cores).settled), ElementsAre("turbo already: turbo is off"));
  const FakeRoot amd;
  write_amd_per_policy_boost(amd);
  StubHost desktop(amd.path());
  ASSERT_EQ(desktop.write("/sys/devices/system/cpu/cpufreq/boost", "0"), 0);
  const KnobPlan plan = planned("turbo", desktop, two_cores);
  EXPECT_THAT(plan.changes, IsEmpty());
  EXPECT_THAT(settled_lines(plan.settled), ElementsAre("turbo already: turbo is off"));
  EXPECT_EQ(plan.settled[0].before, "0");
}

TEST(TurboKnob, IsUnsupportedWithoutASwitch) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  StubHost host(root.path());
  host.erase("/sys/devices/system/cpu/cpufreq/boost");
  for (const int cpu : {2, 3}) host.erase(fmt::format("/sys/devices/system/cpu/cpufreq/policy{}/boost", cpu));
  host.put("/sys/devices/system/cpu/cpufreq/policy2/scaling_max_freq", "3000000");
  const KnobPlan plan = planned("turbo", host, two_cores);
  EXPECT_THAT(settled_lines(plan.settled), ElementsAre("turbo unsupported: the clock driver has no switch for turbo"));
  EXPECT_THAT(plan.settled[0].remedy, HasSubstr("firmware"));
}

TEST(TurboKnob, IsUnsupportedInAVirtualMachine) {
  const FakeRoot root;
  write_virtual_machine(root);
  const StubHost host(root.path());
  EXPECT_THAT(settled_lines(planned("turbo", host, {{1}, {}, {0}}).settled),
              ElementsAre(HasSubstr("turbo unsupported: a virtual machine")));
}

TEST(TurboKnob, IsDeniedWithoutPrivileges) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.refuse_opening("/sys/devices", EPERM);
  const KnobPlan plan = planned("turbo", host, two_cores);
  ASSERT_THAT(plan.settled, SizeIs(1));
  EXPECT_EQ(plan.settled[0].state, KnobState::denied);
  EXPECT_EQ(plan.settled[0].error, EPERM);
  EXPECT_EQ(plan.settled[0].before, "0");
  EXPECT_EQ(plan.settled[0].wanted, "1");
}

}  // namespace
}  // namespace stepgate
