#include "environment/knobs/host_change.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "environment/golden_trees.h"
#include "environment/stub_host.h"

namespace stepgate {
namespace {

const KnobChange file{"governor", ChangeKind::file, "/sys/f", "a", "b", 0};

TEST(SameValue, KnowsTheKernelsSpellings) {
  EXPECT_TRUE(same_value(file, "0,1", "0-1"));
  const KnobChange mask{"interrupts", ChangeKind::file, "/proc/irq/default_smp_affinity", "3", "1", 0};
  EXPECT_TRUE(same_value(mask, "00000000,00000003", "3"));
  EXPECT_TRUE(same_value(mask, "f", "0f"));
  EXPECT_FALSE(same_value(mask, "1", "3"));
  EXPECT_FALSE(same_value(file, "00000000,00000003", "3")) << "a list of CPUs 0 and 3";
  EXPECT_FALSE(same_value(file, "0", "0-1"));
  EXPECT_FALSE(same_value(file, "performance", "powersave"));
  EXPECT_FALSE(same_value(file, "isolated", "isolated invalid (Cpu list in cpuset.cpus not exclusive)"));
  EXPECT_FALSE(same_value(file, "", "0"));
}

TEST(HostChange, StopsAProcessAndLetsItGoOn) {
  const FakeRoot root;
  write_process(root, 77, "irq (balance)");
  StubHost machine(root.path());
  const Host host{machine, nullptr};
  const KnobChange pause{"interrupts", ChangeKind::paused_process, "77 2345", "running", "stopped", 0};
  EXPECT_EQ(current_value(host, pause), "running");
  EXPECT_EQ(apply(host, pause), 0);
  EXPECT_EQ(current_value(host, pause), "stopped");
  EXPECT_EQ(put_back(host, pause, 0), 0);
  EXPECT_EQ(current_value(host, pause), "running");
}

TEST(HostChange, NeverSignalsALaterProcessOfTheSameNumber) {
  const FakeRoot root;
  write_process(root, 77, "somebody");
  StubHost machine(root.path());
  const Host host{machine, nullptr};
  const KnobChange pause{"interrupts", ChangeKind::paused_process, "77 11", "running", "stopped", 0};
  EXPECT_EQ(apply(host, pause), ESRCH);
  EXPECT_EQ(put_back(host, pause, 0), ESRCH);
  EXPECT_FALSE(current_value(host, pause));
  EXPECT_TRUE(machine.writes().empty());
}

TEST(HostChange, WithoutADriverAGpuCannotBeSet) {
  StubHost machine;
  const Host host{machine, nullptr};
  const KnobChange clock{"gpu_clock", ChangeKind::gpu_clocks, "GPU-1", "unknown", "1500", 0};
  EXPECT_EQ(apply(host, clock), ENODEV);
  EXPECT_EQ(put_back(host, clock, 0), ENODEV);
}

}  // namespace
}  // namespace stepgate
