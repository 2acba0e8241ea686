#include "environment/evidence/evidence_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

/// 1 000 ticks of 10 ms: 700 busy, of which the child used 6.5 s, and 20 stolen.
EvidenceInput ten_seconds() {
  EvidenceInput input;
  input.before.measured = CpuTicks{100, 5, 5000};
  input.after.measured = CpuTicks{800, 25, 6000};
  input.before.counts[EvidenceKey::swap_pages] = 10;
  input.after.counts[EvidenceKey::swap_pages] = 13;
  input.before.counts[EvidenceKey::quota_throttled_periods] = 1;
  input.after.counts[EvidenceKey::quota_throttled_periods] = 1;
  input.before.counts[EvidenceKey::cpu_throttle_events] = 2;
  input.after.counts[EvidenceKey::cpu_throttle_events] = 6;
  input.before.counts[EvidenceKey::numa_pages_migrated] = 4;
  input.after.counts[EvidenceKey::numa_pages_migrated] = 4;
  input.before.times_us[EvidenceKey::memory_stall_fraction] = 1'000'000;
  input.after.times_us[EvidenceKey::memory_stall_fraction] = 3'000'000;
  input.before.levels[EvidenceKey::load_average] = 0.5;
  input.after.levels[EvidenceKey::load_average] = 1.5;
  input.child.wall_s = 10;
  input.child.cpu_s = 6.5;
  input.child.counts[EvidenceKey::minor_faults] = 1000;
  input.child.counts[EvidenceKey::involuntary_switches] = 7;
  input.child.exited.runqueue_wait_ns = 250'000'000;
  input.child.exited.affinity = CpuList{1};
  input.measured = {1};
  input.ticks_per_second = 100;
  return input;
}

TEST(EvidenceOf, TakesDifferencesAndFractions) {
  const Evidence evidence = evidence_of(ten_seconds());
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::steal_fraction, DoubleNear(0.02, 1e-12))));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::foreign_busy_fraction, DoubleNear(0.05, 1e-12))));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::runqueue_wait_fraction, DoubleNear(0.025, 1e-12))));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::swap_pages, 3)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::quota_throttled_periods, 0)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::cpu_throttle_events, 4)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::load_average, 0.5)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::affinity_changed, 0)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::minor_faults, 1000)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::involuntary_switches, 7)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::wall_s, 10)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::numa_pages_migrated, 0)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::memory_stall_fraction, DoubleNear(0.2, 1e-12))));
  EXPECT_TRUE(evidence.absent.empty());
}

TEST(EvidenceOf, TheOtherProcessOfAPairIsNotForeign) {
  EvidenceInput input = ten_seconds();
  input.shares_cpus = true;
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::foreign_busy_fraction))));
  EXPECT_THAT(evidence.absent, Contains(Pair(EvidenceKey::foreign_busy_fraction, HasSubstr("pair"))));
  EXPECT_THAT(evidence.values, Contains(Key(EvidenceKey::steal_fraction)));
}

TEST(AddRunQueueTime, ReplacesTheWaitOfTheWholeProcess) {
  Evidence evidence = evidence_of(ten_seconds());
  add_runqueue_time({.run_ns = 900, .wait_ns = 100, .more_threads_than_cpus = false}, evidence);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::runqueue_wait_fraction), 0.1);
}

TEST(AddRunQueueTime, WaitingForItselfIsNoInterference) {
  Evidence evidence = evidence_of(ten_seconds());
  add_runqueue_time({.run_ns = 600, .wait_ns = 400, .own_wait_ns = 390}, evidence);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::runqueue_wait_fraction), 0.01);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::own_wait_fraction), 0.39);
  add_runqueue_time({.run_ns = 600, .wait_ns = 400, .own_wait_ns = 5000}, evidence);
  EXPECT_DOUBLE_EQ(evidence.values.at(EvidenceKey::runqueue_wait_fraction), 0);
}

TEST(EvidenceOf, TheMainThreadMayWaitForOtherThreadsOfItsProcess) {
  EvidenceInput input = ten_seconds();
  input.child.exited.run_ns = 6'400'000'000;  // of 6.5 s: the other threads had 0.1 s
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::runqueue_wait_fraction, DoubleNear(0.015, 1e-9))));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::own_wait_fraction, DoubleNear(0.01, 1e-9))));
}

TEST(AddRunQueueTime, SaysNothingWithMoreThreadsThanCpus) {
  Evidence evidence = evidence_of(ten_seconds());
  add_runqueue_time({.run_ns = 900, .wait_ns = 100, .more_threads_than_cpus = true}, evidence);
  EXPECT_FALSE(evidence.values.contains(EvidenceKey::runqueue_wait_fraction));
  EXPECT_TRUE(evidence.absent.contains(EvidenceKey::runqueue_wait_fraction));
}

TEST(EvidenceOf, CountsBusySiblingsAsForeign) {
  EvidenceInput input = ten_seconds();
  input.before.siblings = CpuTicks{0, 0, 0};
  input.after.siblings = CpuTicks{100, 0, 1000};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair(EvidenceKey::foreign_busy_fraction, DoubleNear(0.15, 1e-12))));
}

TEST(EvidenceOf, WhatTheProgramStartedInASessionOfItsOwnIsNotForeign) {
  EvidenceInput input = ten_seconds();
  input.after.measured = CpuTicks{1100, 25, 6000};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair(EvidenceKey::foreign_busy_fraction, DoubleNear(0.35, 1e-12))));
  input.child.left_behind_cpu_s = 3.5;
  EXPECT_THAT(evidence_of(input).values, Contains(Pair(EvidenceKey::foreign_busy_fraction, DoubleNear(0, 1e-12))));
}

TEST(EvidenceOf, ForeignTimeIsNeverNegative) {
  EvidenceInput input = ten_seconds();
  input.child.cpu_s = 7.02;  // ticks are coarse: the child can seem to have used more than there was
  EXPECT_THAT(evidence_of(input).values, Contains(Pair(EvidenceKey::foreign_busy_fraction, 0)));
}

TEST(EvidenceOf, DoesNotJudgeByASingleTick) {
  EvidenceInput input = ten_seconds();
  input.after.measured = CpuTicks{150, 6, 5099};
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::steal_fraction))));
  EXPECT_THAT(evidence.absent, Contains(Pair(EvidenceKey::steal_fraction, HasSubstr("99 clock ticks"))));
  input.after.measured = CpuTicks{150, 6, 5100};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair(EvidenceKey::steal_fraction, DoubleNear(0.01, 1e-12))));
}

TEST(EvidenceOf, NoticesThatTheProcessWasMoved) {
  EvidenceInput input = ten_seconds();
  input.child.exited.affinity = CpuList{0, 1};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair(EvidenceKey::affinity_changed, 1)));
}

TEST(TellOwnMove, AProgramThatMovesItselfIsNotDisturbed) {
  EvidenceInput input = ten_seconds();
  input.child.exited.affinity = CpuList{0, 1};
  input.before.allowed_cpus = input.after.allowed_cpus = "0 of 0-3";
  Evidence evidence = evidence_of(input);
  tell_own_move(input.before, input.after, evidence);
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::affinity_changed, 0)));
  EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::own_affinity_change, 1)));
}

TEST(TellOwnMove, ACpusetThatChangedMeanwhileIsOfOthers) {
  EvidenceInput input = ten_seconds();
  input.child.exited.affinity = CpuList{0, 1};
  input.before.allowed_cpus = "0 of 0-3";
  for (const char* after : {"0-3 of 0-3", "0 of 0-1", ""}) {
    Evidence evidence = evidence_of(input);
    input.after.allowed_cpus = after;
    tell_own_move(input.before, input.after, evidence);
    EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::affinity_changed, 1))) << after;
    EXPECT_THAT(evidence.values, Contains(Pair(EvidenceKey::own_affinity_change, 0))) << after;
  }
}

TEST(EvidenceOf, AProcessThatBindsItselfMoreNarrowlyWasNotMoved) {
  EvidenceInput input = ten_seconds();
  input.measured = {1, 2};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair(EvidenceKey::affinity_changed, 0)));
}

TEST(EvidenceOf, ForeignTimeIsAbsentWithoutPinning) {
  EvidenceInput input = ten_seconds();
  input.measured = {};
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::foreign_busy_fraction))));
  EXPECT_THAT(evidence.absent, Contains(Pair(EvidenceKey::foreign_busy_fraction, HasSubstr("not pinned"))));
  EXPECT_THAT(evidence.values, Contains(Key(EvidenceKey::steal_fraction)));
}

TEST(EvidenceOf, SaysWhyAChildsCountersAreMissing) {
  EvidenceInput input = ten_seconds();
  input.child.exited = {};
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.absent, Contains(Key(EvidenceKey::runqueue_wait_fraction)));
  EXPECT_THAT(evidence.absent, Contains(Key(EvidenceKey::affinity_changed)));
}

TEST(EvidenceOf, KeepsTheReasonsOfTheReadings) {
  EvidenceInput input = ten_seconds();
  input.after.counts.erase(EvidenceKey::swap_pages);
  input.after.absent[EvidenceKey::swap_pages] = "gone";
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.absent, Contains(Pair(EvidenceKey::swap_pages, "gone")));
  EXPECT_THAT(evidence.values, Not(Contains(Key(EvidenceKey::swap_pages))));
}

}  // namespace
}  // namespace stepgate
