#include "environment/guard/host_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <new>
#include <utility>

#include "core/error.h"
#include "core/interruption.h"
#include "environment/golden_trees.h"
#include "environment/guard/guard_lock.h"
#include "environment/knobs/host_knobs.h"
#include "environment/plan_text.h"
#include "environment/stub_host.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* governor_path = "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor";
constexpr const char* turbo_path = "/sys/devices/system/cpu/intel_pstate/no_turbo";

class Guard : public testing::Test {
 protected:
  Guard() {
    FakeRoot root;
    for (const int cpu : {0, 1}) write_intel_policy(root, cpu, {800000, 2800000, 3500000});
    write_files(root, "sys/devices/system/cpu/intel_pstate", {{"no_turbo", "0"}, {"status", "active"}});
    write_files(root, "proc/sys/kernel/random", {{"boot_id", "this-boot"}});
    write_kernel_switches(root, "1", "1");
    write_interrupts(root, "3", {{24, "0-1"}, {25, "0-1"}});
    machine_ = std::make_unique<StubHost>(root.path());
  }

  std::unique_ptr<HostGuard> engaged(std::vector<std::string> only = {}) {
    const GuardRequest request{.host = {*machine_, nullptr},
                               .state_folder = state_.path() / "state",
                               .command = "a test",
                               .program = "",
                               .only = std::move(only)};
    return HostGuard::engage(request, [this] { return plan_host_knobs(*machine_, {{1}, {}, {0}}); });
  }

  KnobReport report(const HostGuard& guard, const std::string& name) const {
    for (const KnobReport& one : guard.reports()) {
      if (one.name == name) return one;
    }
    ADD_FAILURE() << "no knob " << name;
    return {};
  }
  std::string read(const std::string& path) const { return machine_->read(path).value_or("(none)"); }
  bool has_journal() const { return std::filesystem::exists(journal_path(state_.path() / "state")); }

  FakeRoot state_;
  std::unique_ptr<StubHost> machine_;
};

TEST_F(Guard, SetsReadsBackAndRestores) {
  {
    const auto guard = engaged();
    EXPECT_TRUE(has_journal());
    const KnobReport governor = report(*guard, "governor");
    EXPECT_EQ(governor.state, KnobState::achieved);
    EXPECT_EQ(governor.before, "powersave");
    EXPECT_EQ(governor.after, "performance");
    EXPECT_EQ(report(*guard, "turbo").state, KnobState::achieved);
    EXPECT_EQ(read(turbo_path), "1");
    EXPECT_EQ(read("/proc/irq/24/smp_affinity_list"), "0");
    EXPECT_TRUE(guard->overwritten().empty());
  }
  EXPECT_EQ(read(governor_path), "powersave");
  EXPECT_EQ(read(turbo_path), "0");
  EXPECT_EQ(read("/proc/irq/24/smp_affinity_list"), "0-1");
  EXPECT_EQ(read("/proc/sys/kernel/numa_balancing"), "1");
  EXPECT_FALSE(has_journal());
}

TEST_F(Guard, TheJournalIsThereBeforeAnythingIsTouched) {
  std::size_t attempts = 0;
  machine_->before_each_write([&](std::size_t, const StubHost::Write&) {
    ++attempts;
    const auto journal = left_behind(state_.path() / "state");
    EXPECT_TRUE(journal && journal->run && !journal->entries.empty());
    return 0;
  });
  engaged();
  EXPECT_GT(attempts, 5U);
}

TEST_F(Guard, CountsInterruptsThatCannotBeMoved) {
  machine_->refuse_writing("/proc/irq/24/smp_affinity_list", EIO);
  const auto guard = engaged({"interrupts"});
  const KnobReport interrupts = report(*guard, "interrupts");
  EXPECT_EQ(interrupts.state, KnobState::achieved);
  EXPECT_EQ(interrupts.error, EIO);
  EXPECT_THAT(interrupts.reason, HasSubstr("/proc/irq/24/smp_affinity_list"));
}

TEST_F(Guard, AWriteWithoutEffectIsOverridden) {
  machine_->ignore_writes(turbo_path);
  const auto guard = engaged({"turbo"});
  EXPECT_EQ(report(*guard, "turbo").state, KnobState::overridden);
  EXPECT_THAT(report(*guard, "turbo").reason, HasSubstr("reads '0'"));
}

TEST_F(Guard, SetsOnlyWhatItIsAskedFor) {
  const auto guard = engaged({"governor"});
  EXPECT_EQ(guard->reports().size(), 1U);
  EXPECT_EQ(read(turbo_path), "0");
  EXPECT_EQ(read("/proc/irq/24/smp_affinity_list"), "0-1");
}

TEST_F(Guard, NamesASettingThatSomebodyElseChanged) {
  const auto guard = engaged();
  machine_->put(governor_path, "schedutil");
  ASSERT_EQ(guard->overwritten().size(), 1U);
  EXPECT_THAT(guard->overwritten().front(), HasSubstr("schedutil"));
}

TEST_F(Guard, WithoutAJournalNothingIsTouched) {
  std::filesystem::create_directories(state_.path());
  std::ofstream(state_.path() / "state") << "a file where the folder should be\n";
  const auto guard = engaged();
  EXPECT_TRUE(machine_->writes().empty());
  const KnobReport governor = report(*guard, "governor");
  EXPECT_EQ(governor.state, KnobState::denied);
  EXPECT_THAT(governor.reason, HasSubstr("not touched"));
  EXPECT_FALSE(governor.remedy.empty());
}

TEST_F(Guard, RestoresADeadRunBeforeItReadsOriginals) {
  const KnobChange left{"governor", ChangeKind::file, governor_path, "powersave", "performance", rank_of("governor")};
  JournalFile::create(state_.path() / "state", {"this-boot", 1, 1, "20261121T100000Z", "dead"}, {left});
  machine_->put(governor_path, "performance");
  const auto guard = engaged();
  EXPECT_EQ(guard->recovered().outcome.restored, 1);
  EXPECT_EQ(report(*guard, "governor").before, "powersave");
}

TEST_F(Guard, AnExceptionRestoresToo) {
  bool thrown = false;
  machine_->before_each_write([&](std::size_t number, const StubHost::Write&) -> int {
    if (number == 4 && !std::exchange(thrown, true)) throw std::bad_alloc();
    return 0;
  });
  EXPECT_THROW(engaged(), std::bad_alloc);
  EXPECT_EQ(read("/proc/irq/24/smp_affinity_list"), "0-1");
  EXPECT_EQ(read(governor_path), "powersave");
  EXPECT_FALSE(has_journal());
}

/// Every file that is not a process's own business.
std::map<std::string, std::string> files_of(const StubHost& machine, const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : machine.names_in(folder)) {
    const std::string path = folder + "/" + name;
    if (const auto text = machine.read(path)) files[path] = *text;
    files.merge(files_of(machine, path));
  }
  return files;
}

using Tree = void (*)(const FakeRoot&);
struct GoldenMachine {
  const char* name;
  Tree write;
  HostWishes wishes;
};

class RoundTrip : public testing::TestWithParam<GoldenMachine> {};

TEST_P(RoundTrip, EndsWhereItBegan) {
  const FakeRoot root;
  GetParam().write(root);
  const FakeRoot state;
  StubHost machine(root.path());
  machine.erase("/dev/cpu_dma_latency");  // the real one would be opened
  const auto before = files_of(machine, "");
  {
    const auto guard = HostGuard::engage({.host = {machine, nullptr},
                                          .state_folder = state.path() / "state",
                                          .command = "a test",
                                          .program = "",
                                          .only = {}},
                                         [&] { return plan_host_knobs(machine, GetParam().wishes); });
    for (const KnobReport& report : guard->reports()) {
      EXPECT_NE(report.state, KnobState::overridden) << report.name << ": " << report.reason;
      EXPECT_NE(report.state, KnobState::denied) << report.name << ": " << report.reason;
    }
    EXPECT_TRUE(guard->overwritten().empty());
    const Recovery done = guard->release();
    EXPECT_TRUE(done.outcome.failures.empty());
    EXPECT_TRUE(done.outcome.conflicts.empty());
  }
  EXPECT_EQ(files_of(machine, ""), before);
}

INSTANTIATE_TEST_SUITE_P(Machines, RoundTrip,
                         testing::Values(GoldenMachine{"IntelLaptop", write_intel_laptop, {{2}, {3}, {0, 1}}},
                                         GoldenMachine{"AmdPerPolicyBoost", write_amd_per_policy_boost, {{1}, {}, {0}}},
                                         GoldenMachine{"VirtualMachine", write_virtual_machine, {{1}, {}, {0}}},
                                         GoldenMachine{"TwoSocketGpuHost", write_two_socket_gpu_host, {{4}, {}, {0}}},
                                         GoldenMachine{"HybridCores", write_hybrid_cores, {{2}, {3}, {0, 1}}}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(Guard, KeepsTurboOffIfItWasOff) {
  machine_->put(turbo_path, "1");
  {
    const auto guard = engaged();
    EXPECT_EQ(report(*guard, "turbo").state, KnobState::achieved);
    EXPECT_EQ(read(turbo_path), "1");
  }
  EXPECT_EQ(read(turbo_path), "1") << "writing governors switched it on again, twice";
}

TEST_F(Guard, RestoresWhatTheGovernorMovedIfOnlyTheGovernorWasAskedFor) {
  const std::string preference = "/sys/devices/system/cpu/cpufreq/policy1/energy_performance_preference";
  const std::string before = read(preference);
  ASSERT_NE(before, "performance");
  machine_->before_each_write([&](std::size_t, const StubHost::Write& write) {
    if (write.path == governor_path && write.text == "performance") machine_->put(preference, "performance");
    return 0;
  });
  {
    const auto guard = engaged({"governor"});
    EXPECT_EQ(guard->reports().size(), 1U);
    EXPECT_EQ(read(preference), "performance");
  }
  EXPECT_EQ(read(preference), before);
}

TEST_F(Guard, ARefusedWriteCarriesARemedy) {
  machine_->refuse_writing(governor_path, EPERM);
  machine_->refuse_writing("/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", EPERM);
  const auto guard = engaged({"governor"});
  EXPECT_EQ(report(*guard, "governor").state, KnobState::denied);
  EXPECT_FALSE(report(*guard, "governor").remedy.empty());
}

TEST_F(Guard, ARestartedContainerIsNoReboot) {
  machine_->put("/proc/stat", "cpu 1 2 3\nbtime 1000\n");
  const KnobChange left{"governor", ChangeKind::file, governor_path, "powersave", "performance", rank_of("governor")};
  for (const std::int64_t booted : {std::int64_t{1001}, std::int64_t{500000}}) {
    JournalFile::create(state_.path() / "state", {"boot-of-a-container", 1, 1, "20261121T100000Z", "dead", booted},
                        {left});
    machine_->put(governor_path, "performance");
    const auto guard = engaged({"turbo"});
    EXPECT_EQ(guard->recovered().rebooted, booted == 500000);
    EXPECT_EQ(read(governor_path), booted == 500000 ? "performance" : "powersave");
  }
}

TEST_F(Guard, AJournalBelongsToADeadRunUnlessItsProcessLives) {
  const std::filesystem::path state = state_.path() / "state";
  EXPECT_FALSE(left_by_dead_run(*machine_, state)) << "there is none";
  FakeRoot process;
  write_process(process, 77, "stepgate");  // started at tick 2345
  const StubHost living(process.path());
  JournalFile::create(state, {"this-boot", 77, 2345, "20261121T100000Z", "a run"}, {});
  EXPECT_FALSE(left_by_dead_run(living, state));
  EXPECT_TRUE(left_by_dead_run(*machine_, state));
  std::filesystem::remove(journal_path(state));
  JournalFile::create(state, {"this-boot", 77, 1, "20261121T100000Z", "an earlier process of that number"}, {});
  EXPECT_TRUE(left_by_dead_run(living, state));
}

TEST_F(Guard, SaysWhetherItIsEngaged) {
  EXPECT_TRUE(engaged({"turbo"})->is_engaged());
  std::ofstream(state_.path() / "a-file") << "no folder\n";
  const auto refused = HostGuard::engage({.host = {*machine_, nullptr},
                                          .state_folder = state_.path() / "a-file",
                                          .command = "a test",
                                          .program = "",
                                          .only = {}},
                                         [this] {
                                           return plan_host_knobs(*machine_, {{1}, {}, {0}});
                                         });
  EXPECT_FALSE(refused->is_engaged());
}

TEST_F(Guard, OneAtATime) {
  const auto first = engaged({"turbo"});
  try {
    lock_guard({state_.path() / "state", "another test"});
    FAIL() << "two guards";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("pid " + std::to_string(::getpid())));
    EXPECT_THAT(error.what(), HasSubstr("`a test`"));
  }
}

TEST_F(Guard, TellsWhomItWaitsForAndEndsOnASignal) {
  const auto first = engaged({"turbo"});
  std::atomic<int> interrupted{0};
  std::string told;
  const LockWait wait{.limit_s = 600, .interrupted = &interrupted, .on_held = [&](const LockHolder& holder) {
                        told = text_of(holder);
                        interrupted = SIGINT;
                      }};
  EXPECT_THROW(lock_guard({state_.path() / "state", "another test", wait}), Interruption);
  EXPECT_THAT(told, HasSubstr("`a test`"));
}

}  // namespace
}  // namespace stepgate
