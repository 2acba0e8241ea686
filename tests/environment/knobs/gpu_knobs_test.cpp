#include "environment/knobs/gpu_knobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "environment/fake_root.h"
#include "environment/gpu/fake_nvml.h"
#include "environment/plan_text.h"
#include "environment/stub_host.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

std::string first_gpu() { return FakeNvml::uuid(0); }

/// A fake driver that keeps its state in a file, as it would for other processes.
class GpuKnobs : public testing::Test {
 protected:
  GpuKnobs() { fake_.set("STATE", root_.path() / "state"); }

  GpuDriver& driver() { return *library_.get(); }
  KnobPlan planned_gpu(const std::string& gpu, std::optional<std::int64_t> clock_mhz,
                       std::optional<std::int64_t> memory_clock_mhz) {
    return planned_with({&driver(), gpu, clock_mhz, memory_clock_mhz});
  }
  /// All knobs of a GPU: the rest of this machine is empty.
  static KnobPlan planned_with(const GpuWishes& wishes) {
    const StubHost machine;
    KnobPlan all;
    for (const char* knob : {"gpu_persistence", "gpu_clock", "gpu_memory_clock"}) {
      const KnobPlan one = planned(knob, machine, {{}, {}, {}, wishes});
      all.changes.insert(all.changes.end(), one.changes.begin(), one.changes.end());
      all.settled.insert(all.settled.end(), one.settled.begin(), one.settled.end());
    }
    return all;
  }
  std::string state() const { return FakeNvml::content(root_.path() / "state"); }
  std::string state_of(const std::string& values) const { return first_gpu() + " " + values + "\n"; }

  const FakeRoot root_;
  FakeNvml fake_;
  const NvmlLibrary library_ = NvmlLibrary::open(FakeNvml::path);
};

KnobChange change(ChangeKind kind, const std::string& original, const std::string& wanted) {
  return {"gpu", kind, first_gpu(), original, wanted, rank_of("gpu_clock")};
}

TEST_F(GpuKnobs, WantsPersistenceAndLeavesClocksAloneWithoutConsent) {
  const KnobPlan plan = planned_gpu(first_gpu(), {}, {});
  EXPECT_THAT(plan.changes, ElementsAre(KnobChange{"gpu_persistence", ChangeKind::gpu_persistence, first_gpu(), "0",
                                                   "1", rank_of("gpu_clock")}));
  ASSERT_EQ(plan.settled.size(), 2U);
  const KnobReport& clock = plan.settled[0];
  EXPECT_EQ(clock.name, "gpu_clock");
  EXPECT_EQ(clock.mode, GuardMode::host);
  EXPECT_EQ(clock.state, KnobState::available);
  EXPECT_EQ(clock.remedy, "--gpu-clock MHZ");
  EXPECT_THAT(clock.reason, HasSubstr("cannot say what the core clock was locked to"));
  EXPECT_EQ(plan.settled[1].name, "gpu_memory_clock");
  EXPECT_EQ(plan.settled[1].remedy, "--gpu-memory-clock MHZ");
  EXPECT_EQ(state(), "") << "planning changes nothing";
}

TEST_F(GpuKnobs, LocksWhatIsNamedAfterPersistence) {
  const KnobPlan plan = planned_gpu(first_gpu(), 1500, 2000);
  EXPECT_THAT(plan.settled, IsEmpty());
  EXPECT_THAT(plan.changes, ElementsAre(Field(&KnobChange::knob, "gpu_persistence"),
                                        KnobChange{"gpu_clock", ChangeKind::gpu_clocks, first_gpu(), "unknown", "1500",
                                                   rank_of("gpu_clock")},
                                        KnobChange{"gpu_memory_clock", ChangeKind::gpu_memory_clocks, first_gpu(),
                                                   "unknown", "2000", rank_of("gpu_clock")}));
}

TEST_F(GpuKnobs, HasNothingToDoWherePersistenceIsOn) {
  ASSERT_EQ(driver().set_persistence(first_gpu(), true).code, 0);
  const KnobPlan plan = planned_gpu(first_gpu(), {}, {});
  EXPECT_THAT(plan.changes, IsEmpty());
  EXPECT_EQ(plan.settled[0].state, KnobState::already);
  EXPECT_EQ(plan.settled[0].before, "1");
}

TEST_F(GpuKnobs, RefusesAClockThatTheGpuDoesNotHave) {
  const KnobPlan plan = planned_gpu(first_gpu(), 2500, -3);
  EXPECT_THAT(plan.changes, ElementsAre(Field(&KnobChange::knob, "gpu_persistence")));
  ASSERT_EQ(plan.settled.size(), 2U);
  for (const KnobReport& report : plan.settled) {
    EXPECT_EQ(report.state, KnobState::unsupported);
    EXPECT_EQ(report.error, EINVAL);
  }
  EXPECT_EQ(plan.settled[0].reason, "2500 MHz is not a core clock of this GPU, the highest is 1980 MHz");
}

TEST_F(GpuKnobs, SaysWhatCannotBeRead) {
  fake_.set("FAIL", "nvmlDeviceGetPersistenceMode=3");
  EXPECT_EQ(planned_gpu(first_gpu(), {}, {}).settled[0].state, KnobState::unsupported);
  fake_.set("FAIL", "nvmlDeviceGetPersistenceMode=4");
  const KnobReport denied = planned_gpu(first_gpu(), {}, {}).settled[0];
  EXPECT_EQ(denied.state, KnobState::denied);
  EXPECT_EQ(denied.error, EPERM);
  EXPECT_EQ(denied.reason, "nvmlDeviceGetPersistenceMode: Insufficient Permissions");
  EXPECT_THAT(denied.remedy, HasSubstr("root"));
  EXPECT_EQ(read_gpu_change(driver(), change(ChangeKind::gpu_persistence, "0", "1")), "");
}

TEST_F(GpuKnobs, PlansNothingWithoutAGpuButDeniesAClockThatIsNamed) {
  EXPECT_THAT(planned_with({}).settled, IsEmpty());
  const KnobPlan plan = planned_with({.lock_clock_mhz = 1500});
  EXPECT_THAT(plan.changes, IsEmpty());
  ASSERT_EQ(plan.settled.size(), 1U);
  EXPECT_EQ(plan.settled[0].name, "gpu_clock");
  EXPECT_EQ(plan.settled[0].state, KnobState::denied);
  EXPECT_THAT(plan.settled[0].remedy, HasSubstr("CUDA_VISIBLE_DEVICES"));
}

TEST_F(GpuKnobs, PlansNothingForAGpuThatIsNotThere) {
  const KnobPlan plan = planned_gpu(FakeNvml::uuid(2), 1500, 2000);
  EXPECT_THAT(plan.changes, IsEmpty());
  EXPECT_THAT(plan.settled, testing::SizeIs(3));
  EXPECT_THAT(plan.settled, testing::Each(Field(&KnobReport::error, ENODEV)));
}

TEST_F(GpuKnobs, AppliesReadsAndRestores) {
  const KnobChange persistence = change(ChangeKind::gpu_persistence, "0", "1");
  const KnobChange clock = change(ChangeKind::gpu_clocks, "unknown", "1500");
  const KnobChange memory = change(ChangeKind::gpu_memory_clocks, "unknown", "2000");
  EXPECT_EQ(read_gpu_change(driver(), persistence), "0");
  EXPECT_EQ(apply_gpu_change(driver(), persistence), 0);
  EXPECT_EQ(apply_gpu_change(driver(), clock), 0);
  EXPECT_EQ(apply_gpu_change(driver(), memory), 0);
  EXPECT_EQ(state(), state_of("1 1500 2000"));
  EXPECT_EQ(read_gpu_change(driver(), persistence), "1");
  EXPECT_EQ(read_gpu_change(driver(), clock), "") << "no driver can tell";
  EXPECT_EQ(restore_gpu_change(driver(), memory), 0);
  EXPECT_EQ(state(), state_of("1 1500 0"));
  EXPECT_EQ(restore_gpu_change(driver(), clock), 0);
  EXPECT_EQ(restore_gpu_change(driver(), persistence), 0);
  EXPECT_EQ(state(), state_of("0 0 0"));
}

TEST_F(GpuKnobs, LeavesPersistenceOnWhereItWasOn) {
  ASSERT_EQ(driver().set_persistence(first_gpu(), true).code, 0);
  EXPECT_EQ(restore_gpu_change(driver(), change(ChangeKind::gpu_persistence, "1", "1")), 0);
  EXPECT_EQ(state(), state_of("1 0 0"));
}

TEST_F(GpuKnobs, ReportsRefusalsAsErrnoDoes) {
  fake_.set("FAIL", "nvmlDeviceSetPersistenceMode=4 nvmlDeviceSetGpuLockedClocks=3 nvmlDeviceResetGpuLockedClocks=999");
  EXPECT_EQ(apply_gpu_change(driver(), change(ChangeKind::gpu_persistence, "0", "1")), EPERM);
  EXPECT_EQ(restore_gpu_change(driver(), change(ChangeKind::gpu_persistence, "0", "1")), EPERM);
  EXPECT_EQ(apply_gpu_change(driver(), change(ChangeKind::gpu_clocks, "unknown", "1500")), ENOTSUP);
  EXPECT_EQ(restore_gpu_change(driver(), change(ChangeKind::gpu_clocks, "unknown", "1500")), EIO);
  KnobChange lost = change(ChangeKind::gpu_memory_clocks, "unknown", "2000");
  lost.target = FakeNvml::uuid(2);
  EXPECT_EQ(apply_gpu_change(driver(), lost), ENODEV);
  EXPECT_EQ(state(), "");
}

TEST_F(GpuKnobs, RefusesADamagedChange) {
  EXPECT_EQ(apply_gpu_change(driver(), change(ChangeKind::gpu_clocks, "unknown", "fast")), EINVAL);
  EXPECT_EQ(apply_gpu_change(driver(), change(ChangeKind::gpu_persistence, "0", "")), EINVAL);
  EXPECT_EQ(restore_gpu_change(driver(), change(ChangeKind::gpu_persistence, "unknown", "1")), EINVAL);
  EXPECT_EQ(apply_gpu_change(driver(), change(ChangeKind::file, "0", "1")), EINVAL);
  EXPECT_EQ(restore_gpu_change(driver(), change(ChangeKind::folder, "0", "1")), EINVAL);
  EXPECT_EQ(state(), "");
}

TEST_F(GpuKnobs, AnotherProcessRestoresWhatADeadOneSet) {
  const KnobChange clock = change(ChangeKind::gpu_clocks, "unknown", "1500");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const NvmlLibrary own = NvmlLibrary::open(FakeNvml::path);
    ::_exit(own.get() == nullptr ? 1 : apply_gpu_change(*own.get(), clock));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(driver().clock_mhz(first_gpu(), GpuClock::core).value, 1500);
  EXPECT_EQ(restore_gpu_change(driver(), clock), 0);
  EXPECT_EQ(driver().clock_mhz(first_gpu(), GpuClock::core).value, 1980);
}

}  // namespace
}  // namespace stepgate
