#include "environment/evidence/taint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

Evidence evidence_with(const std::string& key, double value) { return {.values = {{key, value}}, .absent = {}}; }

TEST(Taint, NamesTheValueAndItsLimit) {
  EXPECT_THAT(taint_reasons(evidence_with("steal_fraction", 0.034), default_taint_limits()),
              ElementsAre("steal_fraction 0.034 above 0.01"));
}

TEST(Taint, AValueAtItsLimitIsClean) {
  EXPECT_THAT(taint_reasons(evidence_with("steal_fraction", 0.01), default_taint_limits()), IsEmpty());
  EXPECT_THAT(taint_reasons(evidence_with("swap_pages", 0), default_taint_limits()), IsEmpty());
}

TEST(Taint, AnyThrottlingSwappingOrMoveDiscards) {
  for (const char* key : {"quota_throttled_periods", "swap_pages", "cpu_throttle_events", "affinity_changed",
                          "numa_pages_migrated", "cpu_offline", "knobs_overwritten"}) {
    EXPECT_THAT(taint_reasons(evidence_with(key, 1), default_taint_limits()),
                ElementsAre(std::string(key) + " 1 above 0"));
  }
}

TEST(Taint, WhatTheMeasuredCodeCausesItselfIsNoExcuse) {
  for (const char* key : {"minor_faults", "major_faults", "voluntary_switches", "involuntary_switches", "wall_s",
                          "load_average", "memory_stall_fraction", "interrupt_fraction", "cpu_mean_mhz",
                          "watch_cpu_fraction", "gpu_power_cap_fraction", "gpu_power_w"}) {
    EXPECT_THAT(taint_reasons(evidence_with(key, 1e9), default_taint_limits()), IsEmpty()) << key;
  }
}

TEST(Taint, OthersOnTheSameCpusDiscard) {
  EXPECT_THAT(taint_reasons(evidence_with("runqueue_wait_fraction", 0.06), default_taint_limits()), SizeIs(1));
  EXPECT_THAT(taint_reasons(evidence_with("runqueue_wait_fraction", 0.05), default_taint_limits()), IsEmpty());
  EXPECT_THAT(taint_reasons(evidence_with("foreign_busy_fraction", 0.11), default_taint_limits()), SizeIs(1));
}

TEST(Taint, AMissingValueDiscardsNothing) { EXPECT_THAT(taint_reasons(Evidence{}, default_taint_limits()), IsEmpty()); }

TEST(Taint, PolicyOverridesKeyByKey) {
  const auto limits = taint_limits_with({{"steal_fraction", 0.2}, {"load_average", 9}});
  EXPECT_THAT(limits, Contains(Pair("steal_fraction", 0.2)));
  EXPECT_THAT(limits, Contains(Pair("load_average", 9)));
  EXPECT_THAT(limits, Contains(Pair("swap_pages", 0)));
  EXPECT_THAT(taint_limits_with({}), Not(Contains(Key("load_average"))));
}

}  // namespace
}  // namespace stepgate
