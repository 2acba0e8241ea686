#include "environment/knobs/frequency_knobs.h"

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

const HostWishes second_core{{2}, {3}, {0, 1}};

std::string in_policy(int number, const std::string& file) {
  return fmt::format("/sys/devices/system/cpu/cpufreq/policy{}/{}", number, file);
}

KnobReport only_report(const KnobPlan& plan) {
  EXPECT_THAT(plan.changes, IsEmpty());
  EXPECT_THAT(plan.settled, SizeIs(1));
  return plan.settled.empty() ? KnobReport{} : plan.settled.front();
}

TEST(GovernorKnob, IsPerformanceForTheMeasuredCoreOnly) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("governor", host, second_core).changes),
              ElementsAre("governor file " + in_policy(2, "scaling_governor") + ": powersave -> performance, rank 40",
                          "governor file " + in_policy(3, "scaling_governor") + ": powersave -> performance, rank 40"));
  EXPECT_THAT(host.writes(), IsEmpty());
}

TEST(GovernorKnob, TakesPoliciesInTheOrderOfTheirNumbers) {
  const FakeRoot root;
  for (const int cpu : {2, 10}) write_amd_policy(root, cpu, {400000, 3400000, 4950000});
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("governor", host, {{2, 10}, {}, {}}).changes),
              ElementsAre(HasSubstr("policy2/"), HasSubstr("policy10/")));
}

TEST(GovernorKnob, FindsAPolicyOfSeveralCpus) {
  const FakeRoot root;
  write_amd_policy(root, 0, {400000, 3400000, 4950000});
  StubHost host(root.path());
  host.put(in_policy(0, "affected_cpus"), "0 1 2 3");
  EXPECT_THAT(planned("governor", host, second_core).changes, SizeIs(1));
  host.erase(in_policy(0, "affected_cpus"));
  host.put(in_policy(0, "related_cpus"), "0 1 2 3");
  EXPECT_THAT(planned("governor", host, second_core).changes, SizeIs(1));
}

TEST(GovernorKnob, HasNothingToDoTwice) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  for (const int cpu : {2, 3}) host.put(in_policy(cpu, "scaling_governor"), "performance");
  const KnobReport report = only_report(planned("governor", host, second_core));
  EXPECT_EQ(report.state, KnobState::already);
  EXPECT_EQ(report.before, "performance");
  EXPECT_EQ(report.wanted, "performance");
}

TEST(GovernorKnob, SaysWhatIsOfferedInstead) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  for (const int cpu : {2, 3}) host.put(in_policy(cpu, "scaling_available_governors"), "userspace powersave");
  const KnobReport report = only_report(planned("governor", host, second_core));
  EXPECT_EQ(report.state, KnobState::unsupported);
  EXPECT_EQ(report.reason, "the clock driver offers userspace powersave and not performance");
}

TEST(GovernorKnob, IsDeniedOnAReadOnlySys) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.refuse_opening("/sys", EROFS);
  const KnobReport report = only_report(planned("governor", host, second_core));
  EXPECT_EQ(report.state, KnobState::denied);
  EXPECT_EQ(report.before, "powersave");
  EXPECT_EQ(report.wanted, "performance");
  EXPECT_EQ(report.remedy, "make it writable: sudo mount -o remount,rw /sys");
}

TEST(FrequencyKnobs, AreUnsupportedInAVirtualMachine) {
  const FakeRoot root;
  write_virtual_machine(root);
  const StubHost host(root.path());
  const HostWishes wishes{{1}, {}, {0}};
  for (const auto plan : {plan_governor, plan_energy_preference, plan_frequency_limits}) {
    const KnobReport report = only_report(plan(host, wishes));
    EXPECT_EQ(report.state, KnobState::unsupported);
    EXPECT_EQ(report.reason, "a virtual machine does not set its clock; the machine below it does");
    EXPECT_THAT(report.remedy, HasSubstr("the machine that runs this virtual machine"));
  }
}

TEST(FrequencyKnobs, AreUnsupportedWithoutADriver) {
  const StubHost host;
  EXPECT_THAT(only_report(planned("governor", host, second_core)).remedy, HasSubstr("modprobe acpi-cpufreq"));
}

TEST(EnergyPreferenceKnob, IsPerformance) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("energy_preference", host, {{2}, {}, {}}).changes),
              ElementsAre("energy_preference file " + in_policy(2, "energy_performance_preference") +
                          ": balance_performance -> performance, rank 41"));
}

TEST(EnergyPreferenceKnob, IsUnsupportedWhereTheDriverHasNone) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  const StubHost host(root.path());
  EXPECT_EQ(only_report(planned("energy_preference", host, second_core)).reason,
            "the clock driver has no energy_performance_preference");
}

TEST(FrequencyLimitsKnob, MeetAtTheClockWithoutTurbo) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  EXPECT_THAT(
      change_lines(planned("frequency_limits", host, {{2}, {}, {}}).changes),
      ElementsAre("frequency_limits file " + in_policy(2, "scaling_min_freq") + ": 400000 -> 2400000, rank 31",
                  "frequency_limits file " + in_policy(2, "scaling_max_freq") + ": 4700000 -> 2400000, rank 30"));
}

TEST(FrequencyLimitsKnob, DifferBetweenKindsOfCores) {
  const FakeRoot root;
  write_hybrid_cores(root);
  const StubHost host(root.path());
  EXPECT_THAT(
      change_lines(planned("frequency_limits", host, {{2, 4}, {3}, {0, 1}}).changes),
      ElementsAre("frequency_limits file " + in_policy(2, "scaling_min_freq") + ": 800000 -> 3000000, rank 31",
                  "frequency_limits file " + in_policy(2, "scaling_max_freq") + ": 5400000 -> 3000000, rank 30",
                  "frequency_limits file " + in_policy(3, "scaling_min_freq") + ": 800000 -> 3000000, rank 31",
                  "frequency_limits file " + in_policy(3, "scaling_max_freq") + ": 5400000 -> 3000000, rank 30",
                  "frequency_limits file " + in_policy(4, "scaling_min_freq") + ": 800000 -> 2200000, rank 31",
                  "frequency_limits file " + in_policy(4, "scaling_max_freq") + ": 4200000 -> 2200000, rank 30"));
}

TEST(FrequencyLimitsKnob, KnowTheNominalClockOfAmd) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  const StubHost host(root.path());
  EXPECT_THAT(
      change_lines(planned("frequency_limits", host, {{2}, {}, {}}).changes),
      ElementsAre("frequency_limits file " + in_policy(2, "scaling_min_freq") + ": 400000 -> 3400000, rank 31",
                  "frequency_limits file " + in_policy(2, "scaling_max_freq") + ": 4950000 -> 3400000, rank 30"));
}

TEST(FrequencyLimitsKnob, TakeTheHighestListedClockBeforeTheNominalOne) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  StubHost host(root.path());
  host.put(in_policy(2, "scaling_available_frequencies"), "2200000 3394000 2800000");
  EXPECT_EQ(planned("frequency_limits", host, {{2}, {}, {}}).changes.at(0).wanted, "3394000");
}

TEST(FrequencyLimitsKnob, RaiseTheMinimumWhereTurboStays) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.refuse_opening("/sys/devices/system/cpu/intel_pstate", EACCES);
  EXPECT_THAT(
      change_lines(planned("frequency_limits", host, {{2}, {}, {}}).changes),
      ElementsAre("frequency_limits file " + in_policy(2, "scaling_min_freq") + ": 400000 -> 4700000, rank 31"));
  host.erase("/sys/devices/system/cpu/intel_pstate");
  EXPECT_THAT(planned("frequency_limits", host, {{2}, {}, {}}).changes, SizeIs(1));
}

TEST(FrequencyLimitsKnob, NeverRaiseTheMaximum) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.put(in_policy(2, "scaling_max_freq"), "1200000");
  EXPECT_THAT(
      change_lines(planned("frequency_limits", host, {{2}, {}, {}}).changes),
      ElementsAre("frequency_limits file " + in_policy(2, "scaling_min_freq") + ": 400000 -> 1200000, rank 31"));
}

TEST(FrequencyLimitsKnob, LowerTheMinimumBeforeTheMaximum) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.put(in_policy(2, "scaling_min_freq"), "3600000");
  const auto changes = planned("frequency_limits", host, {{2}, {}, {}}).changes;
  ASSERT_THAT(changes, SizeIs(2));
  for (const KnobChange& change : changes) EXPECT_EQ(host.write(change.target, change.wanted), 0) << change.target;
  // And back, in the order of the ranks: a minimum of 3.6 GHz needs the restored maximum.
  ASSERT_LT(changes[1].restore_rank, changes[0].restore_rank);
  EXPECT_EQ(host.write(changes[1].target, changes[1].original), 0);
  EXPECT_EQ(host.write(changes[0].target, changes[0].original), 0);
}

TEST(FrequencyLimitsKnob, HaveNothingToDoWhereTheyMeet) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  for (const char* file : {"scaling_min_freq", "scaling_max_freq"}) host.put(in_policy(2, file), "2000000");
  const KnobReport report = only_report(planned("frequency_limits", host, {{2}, {}, {}}));
  EXPECT_EQ(report.state, KnobState::already);
  EXPECT_EQ(report.before, "2000000");
}

TEST(FrequencyLimitsKnob, AreUnsupportedWithoutLimits) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  for (const char* file : {"scaling_min_freq", "scaling_max_freq"}) host.put(in_policy(2, file), "<unsupported>");
  EXPECT_EQ(only_report(planned("frequency_limits", host, {{2}, {}, {}})).reason,
            "the clock driver has no limits to set");
}

}  // namespace
}  // namespace stepgate
