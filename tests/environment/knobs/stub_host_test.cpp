// The model of the kernel must refuse what the kernel refuses.
#include "environment/stub_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "environment/golden_trees.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::string cpufreq = "/sys/devices/system/cpu/cpufreq";
const std::string no_turbo = "/sys/devices/system/cpu/intel_pstate/no_turbo";
const std::string cgroups = "/sys/fs/cgroup";

TEST(StubHost, WritesDownEveryAttempt) {
  StubHost host;
  host.put("/proc/a", "1\n");
  EXPECT_EQ(host.write("/proc/a", "2"), 0);
  EXPECT_EQ(host.write("/proc/b", "2"), ENOENT);
  ASSERT_THAT(host.writes(), SizeIs(2));
  EXPECT_EQ(host.writes()[0].path, "/proc/a");
  EXPECT_EQ(host.writes()[1].error, ENOENT);
  EXPECT_EQ(host.read("/proc/a"), "2");
}

TEST(StubHost, RefusesAndIgnoresAsTold) {
  StubHost host;
  for (const char* path : {"/proc/a", "/proc/b", "/sys/c"}) host.put(path, "1");
  host.refuse_opening("/sys", EROFS);
  host.refuse_writing("/proc/a", EIO);
  host.ignore_writes("/proc/b");
  EXPECT_EQ(host.write_refusal("/sys/c"), EROFS);
  EXPECT_EQ(host.write("/sys/c", "2"), EROFS);
  EXPECT_EQ(host.write_refusal("/proc/a"), 0);
  EXPECT_EQ(host.write("/proc/a", "2"), EIO);
  EXPECT_EQ(host.write("/proc/b", "2"), 0);
  for (const char* path : {"/proc/a", "/proc/b", "/sys/c"}) EXPECT_EQ(host.read(path), "1");
}

TEST(StubHost, RefusesTheNthAttempt) {
  StubHost host;
  host.put("/proc/a", "0");
  host.refuse_write(2, EINVAL);
  EXPECT_EQ(host.write("/proc/a", "1"), 0);
  EXPECT_EQ(host.write("/proc/a", "2"), EINVAL);
  EXPECT_EQ(host.write("/proc/a", "3"), 0);
}

TEST(StubHost, CanThrowBeforeAWrite) {
  StubHost host;
  host.put("/proc/a", "0");
  host.before_each_write([](std::size_t number, const StubHost::Write&) -> int {
    if (number == 2) throw std::string("killed");
    return 0;
  });
  EXPECT_EQ(host.write("/proc/a", "1"), 0);
  EXPECT_THROW(host.write("/proc/a", "2"), std::string);
  EXPECT_EQ(host.read("/proc/a"), "1");
  EXPECT_EQ(host.write("/proc/a", "3"), 0) << "the write after the exception is the third";
  EXPECT_THAT(host.writes(), SizeIs(2));
}

TEST(StubClocks, WritingAGovernorSwitchesTurboOn) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  EXPECT_EQ(host.write(no_turbo, "1"), 0);
  EXPECT_EQ(host.write(no_turbo, "2"), EINVAL);
  EXPECT_EQ(host.read(cpufreq + "/policy2/scaling_max_freq"), "2400000");
  EXPECT_EQ(host.write(cpufreq + "/policy2/scaling_governor", "performance"), 0);
  EXPECT_EQ(host.read(no_turbo), "0");
  EXPECT_EQ(host.read(cpufreq + "/policy2/scaling_max_freq"), "4700000");
  EXPECT_EQ(host.write(cpufreq + "/policy2/scaling_governor", "ondemand"), EINVAL);
  EXPECT_EQ(host.write(cpufreq + "/policy2/energy_performance_preference", "power"), EBUSY);
  EXPECT_EQ(host.write(cpufreq + "/policy2/energy_performance_preference", "fast"), EINVAL);
  EXPECT_EQ(host.write(cpufreq + "/policy2/energy_performance_preference", "performance"), 0);
}

TEST(StubClocks, LimitsNeverCross) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  EXPECT_EQ(host.write(cpufreq + "/policy2/scaling_min_freq", "4800000"), EINVAL);
  EXPECT_EQ(host.write(cpufreq + "/policy2/scaling_max_freq", "300000"), EINVAL);
  EXPECT_EQ(host.write(cpufreq + "/policy2/scaling_min_freq", "4700000"), 0);
}

TEST(StubClocks, AGlobalBoostOutranksThePolicies) {
  const FakeRoot root;
  write_amd_per_policy_boost(root);
  StubHost host(root.path());
  EXPECT_EQ(host.write(cpufreq + "/policy1/scaling_max_freq", "3000000"), 0);
  EXPECT_EQ(host.write(cpufreq + "/policy1/boost", "0"), 0);
  EXPECT_EQ(host.write(cpufreq + "/boost", "0"), 0);
  EXPECT_EQ(host.write(cpufreq + "/policy1/boost", "0"), EINVAL);
  EXPECT_EQ(host.read(cpufreq + "/policy1/scaling_max_freq"), "3400000");
  EXPECT_EQ(host.write(cpufreq + "/boost", "1"), 0);
  EXPECT_EQ(host.read(cpufreq + "/policy1/boost"), "1");
  EXPECT_EQ(host.read(cpufreq + "/policy1/scaling_max_freq"), "4950000") << "not its earlier value";
}

TEST(StubCgroups, AGroupHasFilesAndIsRemovedOnlyEmpty) {
  const FakeRoot root;
  write_intel_laptop(root);
  StubHost host(root.path());
  const std::string group = cgroups + "/stepgate";
  EXPECT_EQ(host.write(cgroups + "/cgroup.subtree_control", "+rdma"), ENOENT);
  EXPECT_EQ(host.write(cgroups + "/cgroup.subtree_control", "+cpuset"), 0);
  EXPECT_EQ(host.read(cgroups + "/cgroup.subtree_control"), "cpu io memory pids cpuset");
  EXPECT_EQ(host.read(cgroups + "/user.slice/cpuset.cpus.partition"), "member");
  EXPECT_EQ(host.make_folder(group), 0);
  EXPECT_EQ(host.make_folder(group), EEXIST);
  EXPECT_EQ(host.write(group + "/cpuset.cpus", "2-x"), EINVAL);
  EXPECT_EQ(host.write(group + "/cpuset.cpus", "2-3"), 0);
  EXPECT_EQ(host.write(group + "/cpuset.cpus.exclusive", "2-3"), ENOENT) << "a kernel before 6.7";
  EXPECT_EQ(host.write(group + "/cgroup.procs", "2"), 0);
  EXPECT_EQ(host.read(cgroups + "/cgroup.procs"), "1");
  EXPECT_EQ(host.remove_folder(group), EBUSY);
  EXPECT_EQ(host.write(cgroups + "/cgroup.procs", "2"), 0);
  EXPECT_EQ(host.remove_folder(group), 0);
  EXPECT_EQ(host.remove_folder(group), ENOENT);
  EXPECT_EQ(host.write(cgroups + "/cgroup.subtree_control", "-cpuset"), 0);
  EXPECT_FALSE(host.read(cgroups + "/user.slice/cpuset.cpus.partition"));
}

TEST(StubCgroups, AnInvalidPartitionNamesTheReason) {
  const FakeRoot root;
  write_two_socket_gpu_host(root);
  StubHost host(root.path());
  const std::string group = cgroups + "/stepgate";
  ASSERT_EQ(host.make_folder(group), 0);
  EXPECT_EQ(host.write(group + "/cpuset.cpus.partition", "alone"), EINVAL);
  EXPECT_EQ(host.write(group + "/cpuset.cpus.partition", "isolated"), 0);
  EXPECT_EQ(host.read(group + "/cpuset.cpus.partition"), "isolated invalid (cpuset.cpus is empty)");
  EXPECT_EQ(host.write(group + "/cpuset.cpus", "4-5"), 0);
  EXPECT_EQ(host.write(group + "/cpuset.cpus.exclusive", "4-5"), 0);
  EXPECT_EQ(host.write(group + "/cpuset.cpus.partition", "isolated"), 0);
  EXPECT_EQ(host.read(group + "/cpuset.cpus.partition"), "isolated");
  host.invalidate_partitions("Cpu list in cpuset.cpus not exclusive");
  EXPECT_EQ(host.write(group + "/cpuset.cpus.partition", "isolated"), 0);
  EXPECT_EQ(host.read(group + "/cpuset.cpus.partition"), "isolated invalid (Cpu list in cpuset.cpus not exclusive)");
}

TEST(StubHost, StopsAndContinuesProcesses) {
  const FakeRoot root;
  write_process(root, 812, "irq) balance");
  StubHost host(root.path());
  EXPECT_EQ(host.send_signal(813, SIGSTOP), ESRCH);
  EXPECT_EQ(host.send_signal(812, SIGSTOP), 0);
  EXPECT_EQ(host.read("/proc/812/stat")->substr(0, 21), "812 (irq) balance) T ");
  EXPECT_EQ(host.send_signal(812, SIGCONT), 0);
  EXPECT_EQ(host.read("/proc/812/stat")->substr(0, 21), "812 (irq) balance) S ");
  host.refuse_writing("/proc/812", EPERM);
  EXPECT_EQ(host.send_signal(812, SIGSTOP), EPERM);
  EXPECT_THAT(host.writes(), SizeIs(4));
  EXPECT_EQ(host.writes()[1].step, StubHost::Step::signal);
}

}  // namespace
}  // namespace stepgate
