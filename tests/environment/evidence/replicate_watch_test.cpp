#include "environment/evidence/replicate_watch.h"

#include <gtest/gtest.h>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

class Watch : public testing::Test {
 protected:
  void thread(const std::string& number, const std::string& cpus) const {
    root_.write("proc/7/task/" + number + "/status", "Name:\tx\nCpus_allowed_list:\t" + cpus + "\n");
  }
  Evidence after_samples(int samples, bool threads_may_leave = false) const {
    ReplicateWatch watch(root_.path(), {1, 2}, threads_may_leave);
    for (int i = 0; i < samples; ++i) watch.sample(7);
    Evidence evidence;
    evidence.values[EvidenceKey::affinity_changed] = 0;  // of the main thread at its end
    watch.add_to(evidence, 10);
    return evidence;
  }
  FakeRoot root_;
};

TEST_F(Watch, ThreadsMayNarrowTheirCpus) {
  thread("7", "1-2");
  thread("8", "2");
  EXPECT_EQ(after_samples(3).values.at(EvidenceKey::affinity_changed), 0);
}

TEST_F(Watch, AThreadAllowedOnOtherCpusStrays) {
  thread("7", "1-2");
  thread("8", "0-3");
  EXPECT_EQ(after_samples(3).values.at(EvidenceKey::affinity_changed), 1);
}

TEST_F(Watch, AProgramMaySendThreadsToOtherCpusOnPurpose) {
  thread("7", "1-2");
  thread("8", "0");
  EXPECT_EQ(after_samples(3, true).values.at(EvidenceKey::affinity_changed), 0);
}

/// The generator of an open loop runs beside the measured CPUs, in its pass only.
TEST_F(Watch, AThreadThatTheProgramSendsAwayForAPassIsNoStray) {
  thread("7", "1-2");
  thread("8", "0");
  for (const bool in_the_pass : {true, false}) {
    ReplicateWatch watch(root_.path(), {1, 2});
    for (int i = 0; i < 3; ++i) watch.sample(7, [&] { return in_the_pass; });
    Evidence evidence;
    watch.add_to(evidence, 10);
    EXPECT_EQ(evidence.values.contains(EvidenceKey::affinity_changed), !in_the_pass);
  }
}

TEST_F(Watch, SeesACpuGoOffline) {
  root_.write("sys/devices/system/cpu/online", "0-1,3\n");
  EXPECT_EQ(after_samples(1).values.at(EvidenceKey::cpu_offline), 1);
  root_.write("sys/devices/system/cpu/online", "0-3\n");
  EXPECT_EQ(after_samples(1).values.at(EvidenceKey::cpu_offline), 0);
}

TEST_F(Watch, TakesTheMeanClock) {
  EXPECT_TRUE(after_samples(2).absent.contains(EvidenceKey::cpu_mean_mhz));
  root_.write("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2000000\n");
  root_.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_cur_freq", "3000000\n");
  EXPECT_DOUBLE_EQ(after_samples(2).values.at(EvidenceKey::cpu_mean_mhz), 2500);
}

TEST_F(Watch, CountsItsOwnCost) {
  const Evidence evidence = after_samples(5);
  EXPECT_GT(evidence.values.at(EvidenceKey::watch_cpu_fraction), 0);
}

TEST_F(Watch, WithoutASampleSetsNothing) {
  const Evidence evidence = after_samples(0);
  EXPECT_FALSE(evidence.values.contains(EvidenceKey::cpu_offline));
  EXPECT_FALSE(evidence.values.contains(EvidenceKey::watch_cpu_fraction));
}

}  // namespace
}  // namespace stepgate
