#include "environment/evidence/host_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/evidence/cgroup_throttling.h"
#include "environment/fake_root.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Key;

void write_host(const FakeRoot& root) {
  root.write("proc/stat",
             "cpu  9 9 9 9 9 9 9 9 0 0\n"
             "cpu0 100 0 0 900 0 0 0 0 0 0\n"
             "cpu1 10 1 20 500 7 3 4 5 9 0\n"
             "cpu10 1 1 1 1 1 1 1 1 0 0\n"
             "intr 1 2 3\n");
  root.write("proc/vmstat", "nr_free_pages 1\npswpin 3\npswpout 4\nnuma_pages_migrated 8\n");
  root.write("proc/pressure/memory",
             "some avg10=0.00 avg60=0.00 avg300=0.00 total=1500\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=3\n");
  root.write("proc/loadavg", "0.75 0.5 0.25 1/100 4711\n");
  root.write("proc/self/cgroup", "0::/ci/job\n");
  root.write("sys/fs/cgroup/ci/job/cpu.stat", "usage_usec 1\nnr_periods 10\nnr_throttled 2\n");
  root.write("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "6\n");
  root.write("sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count", "1\n");
}

TEST(HostCounters, ReadsTheMeasuredCpusOnly) {
  const FakeRoot root;
  write_host(root);
  const HostCounters counters = read_host_counters({root.path(), {1}, {10}});
  ASSERT_TRUE(counters.measured);
  EXPECT_EQ(counters.measured->busy, 10 + 1 + 20 + 3 + 4);
  EXPECT_EQ(counters.measured->steal, 5);
  EXPECT_EQ(counters.measured->interrupt, 3 + 4);
  EXPECT_EQ(counters.measured->total, 10 + 1 + 20 + 500 + 7 + 3 + 4 + 5);
  ASSERT_TRUE(counters.siblings);
  EXPECT_EQ(counters.siblings->busy, 5);
  EXPECT_EQ(counters.counts.at(EvidenceKey::swap_pages), 7);
  EXPECT_EQ(counters.counts.at(EvidenceKey::quota_throttled_periods), 2);
  EXPECT_EQ(counters.counts.at(EvidenceKey::cpu_throttle_events), 7);
  EXPECT_EQ(counters.levels.at(EvidenceKey::load_average), 0.75);
  EXPECT_EQ(counters.counts.at(EvidenceKey::numa_pages_migrated), 8);
  EXPECT_EQ(counters.times_us.at(EvidenceKey::memory_stall_fraction), 1500);
  EXPECT_THAT(counters.absent, IsEmpty());
}

TEST(HostCounters, ReadsTheCpusOfTheLauncherAndOfItsGroup) {
  const FakeRoot root;
  write_host(root);
  EXPECT_EQ(read_host_counters({root.path(), {1}, {}}).allowed_cpus, "");
  root.write("proc/thread-self/status", "Name:\tx\nCpus_allowed_list:\t0,2\n");
  EXPECT_EQ(read_host_counters({root.path(), {1}, {}}).allowed_cpus, "0,2 of any");
  root.write("sys/fs/cgroup/ci/job/cpuset.cpus.effective", "0-3\n");
  EXPECT_EQ(read_host_counters({root.path(), {1}, {}}).allowed_cpus, "0,2 of 0-3");
}

TEST(HostCounters, GivesAReasonForEachCounterThatIsMissing) {
  const FakeRoot root;
  const HostCounters counters = read_host_counters({root.path(), {1}, {}});
  for (const EvidenceKey key :
       {EvidenceKey::steal_fraction, EvidenceKey::foreign_busy_fraction, EvidenceKey::quota_throttled_periods,
        EvidenceKey::swap_pages, EvidenceKey::cpu_throttle_events, EvidenceKey::load_average}) {
    EXPECT_THAT(counters.absent, Contains(Key(key)));
  }
}

TEST(HostCounters, DoesNotSumOverAnOfflineCpu) {
  const FakeRoot root;
  write_host(root);
  const HostCounters counters = read_host_counters({root.path(), {1, 2}, {}});
  EXPECT_EQ(counters.measured, std::nullopt);
  EXPECT_EQ(counters.absent.at(EvidenceKey::steal_fraction), "/proc/stat does not show CPU 1-2");
}

TEST(HostCounters, ReadsThisMachine) {
  const HostCounters counters = read_host_counters({"/", {allowed_cpus().front()}, {}});
  ASSERT_TRUE(counters.measured);
  EXPECT_GT(counters.measured->total, 0);
}

TEST(CgroupThrottling, AddsUpTheGroupsAbove) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/ci/job\n");
  root.write("sys/fs/cgroup/ci/job/cpu.stat", "nr_throttled 2\n");
  root.write("sys/fs/cgroup/ci/cpu.stat", "nr_throttled 5\n");
  EXPECT_EQ(cgroup_throttled_periods(root.path()), 7);
}

TEST(CgroupThrottling, ReadsVersionOne) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "5:cpuset:/a\n4:cpu,cpuacct:/docker/1f\n0::/\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.stat", "nr_periods 9\nnr_throttled 4\nthrottled_time 1\n");
  root.write("sys/fs/cgroup/cpuset/a/cpu.stat", "nr_throttled 99\n");
  EXPECT_EQ(cgroup_throttled_periods(root.path()), 4);
}

TEST(CgroupThrottling, FallsBackToTheRootWhereAContainerHidesItsPath) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "4:cpu:/docker/of/the/host\n");
  root.write("sys/fs/cgroup/cpu/cpu.stat", "nr_throttled 3\n");
  EXPECT_EQ(cgroup_throttled_periods(root.path()), 3);
}

TEST(CgroupThrottling, IsAbsentWithoutACpuController) {
  const FakeRoot root;
  EXPECT_EQ(cgroup_throttled_periods(root.path()), std::nullopt);
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/cpu.stat", "usage_usec 5\n");
  EXPECT_EQ(cgroup_throttled_periods(root.path()), std::nullopt);
}

}  // namespace
}  // namespace stepgate
