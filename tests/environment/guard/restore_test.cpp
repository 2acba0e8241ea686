#include "environment/guard/restore.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>

#include "environment/golden_trees.h"
#include "environment/knobs/knob_plan.h"
#include "environment/plan_text.h"
#include "environment/stub_host.h"

namespace stepgate {
namespace {

constexpr const char* restored_governor = "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor";
constexpr const char* restored_turbo = "/sys/devices/system/cpu/intel_pstate/no_turbo";
constexpr const char* low_path = "/sys/devices/system/cpu/cpufreq/policy1/scaling_min_freq";
constexpr const char* high_path = "/sys/devices/system/cpu/cpufreq/policy1/scaling_max_freq";

class Restore : public testing::Test {
 protected:
  Restore() {
    FakeRoot root;
    for (const int cpu : {0, 1}) write_intel_policy(root, cpu, {800000, 2800000, 3500000});
    write_files(root, "sys/devices/system/cpu/intel_pstate", {{"no_turbo", "0"}, {"status", "active"}});
    machine_ = std::make_unique<StubHost>(root.path());
    host_ = std::make_unique<Host>(Host{*machine_, nullptr});
  }

  /// Applied as the guard does it.
  Journal tuned(const std::vector<KnobChange>& changes) {
    Journal journal;
    for (const KnobChange& change : changes) {
      EXPECT_EQ(apply(*host_, change), 0) << change.target;
      journal.entries.push_back({journal.entries.size(), change, current_value(*host_, change), false});
    }
    return journal;
  }

  RestoreOutcome put_back(const Journal& journal) {
    return restore(*host_, journal, [this](std::size_t number) { told_.push_back(number); });
  }

  std::string read(const std::string& path) const { return machine_->read(path).value_or("(none)"); }

  std::unique_ptr<StubHost> machine_;
  std::unique_ptr<Host> host_;
  std::vector<std::size_t> told_;
};

const KnobChange governor{"governor",  ChangeKind::file, restored_governor,
                          "powersave", "performance",    rank_of("governor")};
const KnobChange paused_daemon{"interrupts", ChangeKind::paused_process, "77 2345", "running",
                               "stopped",    rank_of("interrupts") + 10};
const KnobChange turbo_off{"turbo", ChangeKind::file, restored_turbo, "0", "1", rank_of("turbo")};

TEST_F(Restore, RestoresAndReportsEachOne) {
  const RestoreOutcome outcome = put_back(tuned({governor, turbo_off}));
  EXPECT_EQ(outcome.restored + outcome.unchanged, 2);
  EXPECT_TRUE(outcome.complete());
  EXPECT_EQ(read(restored_governor), "powersave");
  EXPECT_EQ(read(restored_turbo), "0");
  EXPECT_EQ(told_, (std::vector<std::size_t>{0, 1})) << "the governor first: writing it resets turbo";
}

TEST_F(Restore, KeepsTurboOffIfItWasOff) {
  machine_->put(restored_turbo, "1");
  const KnobChange kept{"turbo", ChangeKind::file, restored_turbo, "1", "1", rank_of("turbo")};
  put_back(tuned({governor, kept}));
  EXPECT_EQ(read(restored_turbo), "1") << "writing the governor switched it on again";
}

TEST_F(Restore, ASecondTimeChangesNothing) {
  const Journal journal = tuned({governor, turbo_off});
  put_back(journal);
  const std::size_t writes = machine_->writes().size();
  const RestoreOutcome again = put_back(journal);
  EXPECT_EQ(again.restored, 0);
  EXPECT_EQ(again.unchanged, 2);
  EXPECT_EQ(machine_->writes().size(), writes);
}

TEST_F(Restore, LeavesSomebodyElsesValueAlone) {
  const Journal journal = tuned({governor});
  machine_->put(restored_governor, "schedutil");
  const RestoreOutcome outcome = put_back(journal);
  ASSERT_EQ(outcome.conflicts.size(), 1U);
  EXPECT_EQ(outcome.conflicts.front().found, "schedutil");
  EXPECT_EQ(read(restored_governor), "schedutil");
  EXPECT_TRUE(outcome.complete());
  EXPECT_TRUE(told_.empty());
}

TEST_F(Restore, RestoresAChangeThatMayNotHaveBeenApplied) {
  Journal journal = tuned({governor});
  journal.entries.front().after.reset();  // killed after the write, before its line in the journal
  put_back(journal);
  EXPECT_EQ(read(restored_governor), "powersave");
}

TEST_F(Restore, TriesAgainAfterTheOthers) {
  // Both were raised. Restored in this order, the upper limit would fall below the lower one.
  const KnobChange high{"frequency_limits", ChangeKind::file, high_path,
                        "900000",           "3500000",        rank_of("frequency_limits")};
  const KnobChange low{"frequency_limits", ChangeKind::file, low_path,
                       "800000",           "3400000",        rank_of("frequency_limits")};
  for (const auto& changes : {std::vector{high, low}, std::vector{low, high}}) {
    machine_->put(high_path, "3500000");
    machine_->put(low_path, "3400000");
    Journal journal;
    for (const KnobChange& change : changes)
      journal.entries.push_back({journal.entries.size(), change, change.wanted, false});
    const RestoreOutcome outcome = put_back(journal);
    EXPECT_TRUE(outcome.complete());
    EXPECT_EQ(read(high_path), "900000");
    EXPECT_EQ(read(low_path), "800000");
  }
}

TEST_F(Restore, NamesWhatCannotBeRestored) {
  const Journal journal = tuned({governor, turbo_off});
  machine_->refuse_opening(restored_governor, EACCES);
  const RestoreOutcome outcome = put_back(journal);
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures.front().error, EACCES);
  EXPECT_FALSE(outcome.complete());
  EXPECT_EQ(read(restored_turbo), "0") << "the others are restored all the same";
}

TEST_F(Restore, AWriteThatIsIgnoredIsAFailure) {
  const Journal journal = tuned({turbo_off});
  machine_->ignore_writes(restored_turbo);
  const RestoreOutcome outcome = put_back(journal);
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures.front().error, 0);
}

TEST_F(Restore, CancelsAPendingStop) {
  const FakeRoot root;
  write_process(root, 77, "irqbalance");
  StubHost machine(root.path());
  const Journal journal{.run = {}, .entries = {{0, paused_daemon, {}, false}}};
  restore({machine, nullptr}, journal, [](std::size_t) {});
  ASSERT_EQ(machine.writes().size(), 1U) << "its state is running, and SIGCONT is sent all the same";
  EXPECT_EQ(machine.writes().front().text, std::to_string(SIGCONT));
}

TEST_F(Restore, DoesNotUndoARefusedChange) {
  const FakeRoot root;
  write_process(root, 77, "irqbalance");
  StubHost machine(root.path());
  const KnobChange lock{"gpu_clock", ChangeKind::gpu_clocks, "GPU-1", "unknown", "1410", rank_of("gpu_clock")};
  Journal journal{.run = {}, .entries = {{0, paused_daemon, {}, false, true}, {1, lock, {}, false, true}}};
  const RestoreOutcome outcome = restore({machine, nullptr}, journal, [](std::size_t) {});
  EXPECT_TRUE(outcome.complete());
  EXPECT_TRUE(machine.writes().empty());
  journal.entries[1].refused = false;
  EXPECT_FALSE(restore({machine, nullptr}, journal, [](std::size_t) {}).complete()) << "there is no driver any more";
}

TEST_F(Restore, RestoresAgainWhatTheGovernorMoved) {
  const KnobChange low{"frequency_limits", ChangeKind::file, low_path,
                       "800000",           "2800000",        rank_of("frequency_limits")};
  const Journal journal = tuned({governor, low});
  machine_->before_each_write([this](std::size_t, const StubHost::Write& write) {
    if (write.path == restored_governor) machine_->put(low_path, "1000000");
    return 0;
  });
  EXPECT_TRUE(put_back(journal).complete());
  EXPECT_EQ(read(low_path), "800000");
}

TEST_F(Restore, WithoutAGovernorAMovedLimitIsSomebodyElsesValue) {
  const KnobChange low{"frequency_limits", ChangeKind::file, low_path, "800000", "2800000", 30};
  const Journal journal = tuned({low});
  machine_->put(low_path, "1000000");
  EXPECT_EQ(put_back(journal).conflicts.size(), 1U);
  EXPECT_EQ(read(low_path), "1000000");
  Journal with_governor = journal;
  with_governor.entries.push_back({1, governor, {}, false});
  EXPECT_TRUE(put_back(with_governor).conflicts.empty());
  EXPECT_EQ(read(low_path), "800000");
}

TEST_F(Restore, ACpuThatIsGoneIsNoFailure) {
  const Journal journal = tuned({governor});
  machine_->erase("/sys/devices/system/cpu/cpufreq/policy1");
  const RestoreOutcome outcome = put_back(journal);
  EXPECT_EQ(outcome.gone, 1);
  EXPECT_TRUE(outcome.complete());
}

}  // namespace
}  // namespace stepgate
