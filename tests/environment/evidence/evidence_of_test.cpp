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
  input.before.swap_pages = 10;
  input.after.swap_pages = 13;
  input.before.throttled_periods = 1;
  input.after.throttled_periods = 1;
  input.before.cpu_throttle_events = 2;
  input.after.cpu_throttle_events = 6;
  input.before.numa_pages_migrated = 4;
  input.after.numa_pages_migrated = 4;
  input.before.memory_stall_us = 1'000'000;
  input.after.memory_stall_us = 3'000'000;
  input.before.load_average = 0.5;
  input.after.load_average = 1.5;
  input.child.wall_s = 10;
  input.child.cpu_s = 6.5;
  input.child.minor_faults = 1000;
  input.child.involuntary_switches = 7;
  input.child.exited.runqueue_wait_ns = 250'000'000;
  input.child.exited.affinity = CpuList{1};
  input.measured = {1};
  input.ticks_per_second = 100;
  return input;
}

TEST(EvidenceOf, TakesDifferencesAndFractions) {
  const Evidence evidence = evidence_of(ten_seconds());
  EXPECT_THAT(evidence.values, Contains(Pair("steal_fraction", DoubleNear(0.02, 1e-12))));
  EXPECT_THAT(evidence.values, Contains(Pair("foreign_busy_fraction", DoubleNear(0.05, 1e-12))));
  EXPECT_THAT(evidence.values, Contains(Pair("runqueue_wait_fraction", DoubleNear(0.025, 1e-12))));
  EXPECT_THAT(evidence.values, Contains(Pair("swap_pages", 3)));
  EXPECT_THAT(evidence.values, Contains(Pair("quota_throttled_periods", 0)));
  EXPECT_THAT(evidence.values, Contains(Pair("cpu_throttle_events", 4)));
  EXPECT_THAT(evidence.values, Contains(Pair("load_average", 0.5)));
  EXPECT_THAT(evidence.values, Contains(Pair("affinity_changed", 0)));
  EXPECT_THAT(evidence.values, Contains(Pair("minor_faults", 1000)));
  EXPECT_THAT(evidence.values, Contains(Pair("involuntary_switches", 7)));
  EXPECT_THAT(evidence.values, Contains(Pair("wall_s", 10)));
  EXPECT_THAT(evidence.values, Contains(Pair("numa_pages_migrated", 0)));
  EXPECT_THAT(evidence.values, Contains(Pair("memory_stall_fraction", DoubleNear(0.2, 1e-12))));
  EXPECT_TRUE(evidence.absent.empty());
}

TEST(EvidenceOf, TheOtherProcessOfAPairIsNotForeign) {
  EvidenceInput input = ten_seconds();
  input.shares_cpus = true;
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.values, Not(Contains(Key("foreign_busy_fraction"))));
  EXPECT_THAT(evidence.absent, Contains(Pair("foreign_busy_fraction", HasSubstr("pair"))));
  EXPECT_THAT(evidence.values, Contains(Key("steal_fraction")));
}

TEST(AddRunQueueTime, TakesThePlaceOfTheWholeProcess) {
  Evidence evidence = evidence_of(ten_seconds());
  add_runqueue_time({.run_ns = 900, .wait_ns = 100, .more_threads_than_cpus = false}, evidence);
  EXPECT_DOUBLE_EQ(evidence.values.at("runqueue_wait_fraction"), 0.1);
}

TEST(AddRunQueueTime, SaysNothingWithMoreThreadsThanCpus) {
  Evidence evidence = evidence_of(ten_seconds());
  add_runqueue_time({.run_ns = 900, .wait_ns = 100, .more_threads_than_cpus = true}, evidence);
  EXPECT_FALSE(evidence.values.contains("runqueue_wait_fraction"));
  EXPECT_TRUE(evidence.absent.contains("runqueue_wait_fraction"));
}

TEST(EvidenceOf, CountsBusySiblingsAsForeign) {
  EvidenceInput input = ten_seconds();
  input.before.siblings = CpuTicks{0, 0, 0};
  input.after.siblings = CpuTicks{100, 0, 1000};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair("foreign_busy_fraction", DoubleNear(0.15, 1e-12))));
}

TEST(EvidenceOf, ForeignTimeIsNeverNegative) {
  EvidenceInput input = ten_seconds();
  input.child.cpu_s = 7.02;  // ticks are coarse: the child can seem to have used more than there was
  EXPECT_THAT(evidence_of(input).values, Contains(Pair("foreign_busy_fraction", 0)));
}

TEST(EvidenceOf, DoesNotJudgeByASingleTick) {
  EvidenceInput input = ten_seconds();
  input.after.measured = CpuTicks{150, 6, 5099};
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.values, Not(Contains(Key("steal_fraction"))));
  EXPECT_THAT(evidence.absent, Contains(Pair("steal_fraction", HasSubstr("99 clock ticks"))));
  input.after.measured = CpuTicks{150, 6, 5100};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair("steal_fraction", DoubleNear(0.01, 1e-12))));
}

TEST(EvidenceOf, NoticesThatTheProcessWasMoved) {
  EvidenceInput input = ten_seconds();
  input.child.exited.affinity = CpuList{0, 1};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair("affinity_changed", 1)));
}

TEST(EvidenceOf, AProcessThatBindsItselfMoreNarrowlyWasNotMoved) {
  EvidenceInput input = ten_seconds();
  input.measured = {1, 2};
  EXPECT_THAT(evidence_of(input).values, Contains(Pair("affinity_changed", 0)));
}

TEST(EvidenceOf, WhoIsNotPinnedHasNoForeignersOfItsOwn) {
  EvidenceInput input = ten_seconds();
  input.measured = {};
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.values, Not(Contains(Key("foreign_busy_fraction"))));
  EXPECT_THAT(evidence.absent, Contains(Pair("foreign_busy_fraction", HasSubstr("not pinned"))));
  EXPECT_THAT(evidence.values, Contains(Key("steal_fraction")));
}

TEST(EvidenceOf, SaysWhyAChildsCountersAreMissing) {
  EvidenceInput input = ten_seconds();
  input.child.exited = {};
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.absent, Contains(Key("runqueue_wait_fraction")));
  EXPECT_THAT(evidence.absent, Contains(Key("affinity_changed")));
}

TEST(EvidenceOf, KeepsTheReasonsOfTheReadings) {
  EvidenceInput input = ten_seconds();
  input.after.swap_pages = std::nullopt;
  input.after.absent["swap_pages"] = "gone";
  const Evidence evidence = evidence_of(input);
  EXPECT_THAT(evidence.absent, Contains(Pair("swap_pages", "gone")));
  EXPECT_THAT(evidence.values, Not(Contains(Key("swap_pages"))));
}

}  // namespace
}  // namespace stepgate
