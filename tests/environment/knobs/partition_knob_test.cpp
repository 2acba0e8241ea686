#include "environment/knobs/partition_knob.h"

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

const HostWishes second_core_wishes{{2}, {3}, {0, 1}};
const HostWishes second_socket{{4, 5}, {}, {0}};

KnobReport only_partition_report(const KnobPlan& plan) {
  EXPECT_THAT(plan.changes, IsEmpty());
  EXPECT_THAT(plan.settled, SizeIs(1));
  return plan.settled.empty() ? KnobReport{} : plan.settled.front();
}

/// The cgroup that the plan makes, "" for none.
std::string folder_of(const KnobPlan& plan) {
  for (const KnobChange& change : plan.changes) {
    if (change.kind == ChangeKind::folder) return change.target;
  }
  return "";
}

TEST(PartitionKnob, IsolatesOneCoreBelowTheRoot) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  const KnobPlan plan = planned("partition", host, second_core_wishes);
  EXPECT_THAT(
      change_lines(plan.changes),
      ElementsAre("partition controller /sys/fs/cgroup/cgroup.subtree_control:  -> cpuset, rank 10",
                  "partition folder /sys/fs/cgroup/stepgate: absent -> present, rank 10",
                  "partition file_in_folder /sys/fs/cgroup/stepgate/cpuset.cpus:  -> 2-3, rank 10",
                  "partition file_in_folder /sys/fs/cgroup/stepgate/cpuset.mems:  -> 0, rank 10",
                  "partition file_in_folder /sys/fs/cgroup/stepgate/cpuset.cpus.partition:  -> isolated, rank 10"));
  EXPECT_THAT(plan.settled, IsEmpty());
  EXPECT_THAT(host.writes(), IsEmpty());
  EXPECT_EQ(folder_of(plan), "/sys/fs/cgroup/stepgate");
}

TEST(PartitionKnob, ClaimsCpusAsExclusiveAndBalancesSeveralOnNewerKernels) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  const StubHost host(root.path());
  EXPECT_THAT(change_lines(planned("partition", host, second_socket).changes),
              ElementsAre("partition folder /sys/fs/cgroup/stepgate: absent -> present, rank 10",
                          "partition file_in_folder /sys/fs/cgroup/stepgate/cpuset.cpus:  -> 4-5, rank 10",
                          "partition file_in_folder /sys/fs/cgroup/stepgate/cpuset.mems:  -> 1, rank 10",
                          "partition file_in_folder /sys/fs/cgroup/stepgate/cpuset.cpus.exclusive:  -> 4-5, rank 10",
                          "partition file_in_folder /sys/fs/cgroup/stepgate/cpuset.cpus.partition:  -> root, rank 10"));
}

TEST(PartitionKnob, AGroupShowsThatTheKernelKnowsExclusiveCpus) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.put("/sys/fs/cgroup/system.slice/cpuset.cpus.exclusive", "");
  EXPECT_THAT(change_lines(planned("partition", host, second_core_wishes).changes),
              Contains(HasSubstr("cpuset.cpus.exclusive:  -> 2-3")));
}

TEST(PartitionKnob, NamesNoNodeWithoutMemory) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  StubHost host(root.path());
  host.put("/sys/devices/system/node/has_memory", "0");
  EXPECT_THAT(change_lines(planned("partition", host, second_socket).changes), Not(Contains(HasSubstr("cpuset.mems"))));
  host.erase("/sys/devices/system/node");
  EXPECT_THAT(change_lines(planned("partition", host, second_socket).changes), Not(Contains(HasSubstr("cpuset.mems"))));
}

TEST(PartitionKnob, ItsPlanWorksOnTheModel) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  StubHost host(root.path());
  for (const KnobChange& change : planned("partition", host, second_socket).changes) {
    const bool folder = change.kind == ChangeKind::folder;
    EXPECT_EQ(folder ? host.make_folder(change.target) : host.write(change.target, change.wanted), 0) << change.target;
  }
  EXPECT_EQ(host.read("/sys/fs/cgroup/stepgate/cpuset.cpus.partition"), "root");
}

TEST(PartitionKnob, IsUnsupportedWhereCgroupV1HoldsCpusets) {
  const FakeRoot root;
  write_virtual_machine(root);
  const StubHost host(root.path());
  const KnobPlan plan = planned("partition", host, {{1}, {}, {0}});
  const KnobReport report = only_partition_report(plan);
  EXPECT_EQ(report.state, KnobState::unsupported);
  EXPECT_EQ(report.reason, "the cpuset controller belongs to cgroup v1 here, which has no partitions");
  EXPECT_THAT(report.remedy, HasSubstr("unified_cgroup_hierarchy"));
  EXPECT_EQ(folder_of(plan), "");
}

TEST(PartitionKnob, IsUnsupportedWithoutCgroups) {
  const StubHost host;
  EXPECT_EQ(only_partition_report(planned("partition", host, second_core_wishes)).reason,
            "no cgroup v2 is mounted on /sys/fs/cgroup");
}

TEST(PartitionKnob, IsUnsupportedByAKernelWithoutCpusets) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.put("/sys/fs/cgroup/cgroup.controllers", "cpu memory");
  EXPECT_THAT(only_partition_report(planned("partition", host, second_core_wishes)).reason,
              HasSubstr("CONFIG_CPUSETS"));
  host.put("/sys/fs/cgroup/cgroup.type", "domain");
  EXPECT_THAT(only_partition_report(planned("partition", host, second_core_wishes)).reason,
              HasSubstr("not given to this container"));
}

TEST(PartitionKnob, UsesTheHybridMountWhereV2HasTheController) {
  const FakeRoot root;
  write_cgroup_v1(root);
  StubHost host(root.path());
  host.put("/proc/self/cgroup", "5:memory:/\n0::/");
  host.put("/sys/fs/cgroup/unified/cgroup.controllers", "cpuset hugetlb");
  EXPECT_EQ(folder_of(planned("partition", host, {{1}, {}, {0}})), "/sys/fs/cgroup/unified/stepgate");
}

TEST(PartitionKnob, IsDeniedWithoutWriteAccess) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.refuse_opening("/sys/fs/cgroup", EACCES);
  const KnobReport report = only_partition_report(planned("partition", host, second_core_wishes));
  EXPECT_EQ(report.state, KnobState::denied);
  EXPECT_EQ(report.error, EACCES);
  EXPECT_EQ(report.wanted, "isolated");
  EXPECT_EQ(report.reason, "/sys/fs/cgroup/cgroup.procs may not be written: Permission denied");
  EXPECT_EQ(report.remedy, "run as root: sudo stepgate ... --guard host");
}

TEST(PartitionKnob, IsDeniedInsideAnOrdinaryContainer) {
  const FakeRoot root;
  write_intel_laptop(root);
  root.write("run/.containerenv", "");
  root.write("sys/fs/cgroup/cgroup.type", "domain\n");
  root.write("proc/self/cgroup", "0::/\n");
  StubHost host(root.path());
  host.refuse_opening("/sys/fs/cgroup", EROFS);
  const KnobReport report = only_partition_report(planned("partition", host, second_core_wishes));
  EXPECT_EQ(report.state, KnobState::denied);
  EXPECT_THAT(report.remedy, HasSubstr("needs the host"));
}

TEST(PartitionKnob, IsUnsupportedBelowTheRootOfAContainer) {
  const FakeRoot root;
  write_intel_laptop(root);
  root.write("sys/fs/cgroup/cgroup.type", "domain\n");
  root.write("proc/self/cgroup", "0::/\n");
  const StubHost host(root.path());
  const KnobReport report = only_partition_report(planned("partition", host, second_core_wishes));
  EXPECT_EQ(report.state, KnobState::unsupported);
  EXPECT_THAT(report.remedy, HasSubstr("--cgroupns=host"));
}

TEST(PartitionKnob, HasNothingToDoInsideAPartition) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  host.put("/sys/fs/cgroup/user.slice/cpuset.cpus.partition", "member");
  EXPECT_THAT(planned("partition", host, second_core_wishes).settled, IsEmpty());
  host.put("/sys/fs/cgroup/user.slice/cpuset.cpus.partition", "isolated invalid (Parent is not a partition root)");
  EXPECT_THAT(planned("partition", host, second_core_wishes).settled, IsEmpty());
  host.put("/sys/fs/cgroup/user.slice/cpuset.cpus.partition", "isolated");
  EXPECT_THAT(settled_lines({only_partition_report(planned("partition", host, second_core_wishes))}),
              ElementsAre("partition already: /user.slice is a partition already"));
}

TEST(PartitionKnob, LeavesSomeCpuToEverythingElse) {
  const FakeRoot root;
  write_intel_laptop(root);
  const StubHost host(root.path());
  const KnobReport report = only_partition_report(planned("partition", host, {{0, 2, 4, 6}, {1, 3, 5, 7}, {}}));
  EXPECT_EQ(report.state, KnobState::unsupported);
  EXPECT_EQ(report.reason, "no CPU would be left to everything else");
}

}  // namespace
}  // namespace stepgate
