#include "judge/reduce/waiting_sides.h"

#include <gtest/gtest.h>

#include <optional>

#include "core/record/clean_records.h"

namespace stepgate {
namespace {

Measurement waited(std::optional<double> fraction) {
  Replicate replicate;
  replicate.record.emplace();
  if (fraction) replicate.evidence.values[EvidenceKey::waiting_cpu_fraction] = *fraction;
  Measurement side;
  side.replicates = {replicate};
  return side;
}

MeasuredPair pair_that_waited(std::optional<double> base, std::optional<double> head) {
  return {.index = 0, .head_first = false, .base = waited(base), .head = waited(head)};
}

TEST(WaitingSides, TheSideThatWorkedIsNamed) {
  EXPECT_EQ(busy_while_waiting(pair_that_waited(0, 0.98)), "head used 98 % of a CPU while base had its window");
  EXPECT_EQ(busy_while_waiting(pair_that_waited(0.5, 0.02)), "base used 50 % of a CPU while head had its window");
  EXPECT_EQ(busy_while_waiting(pair_that_waited(0, 0.98), "its copy"),
            "its copy used 98 % of a CPU while base had its window");
}

TEST(WaitingSides, OfWhatBothLeftBehindNobodyKnowsWhoseItWas) {
  EXPECT_EQ(busy_while_waiting(pair_that_waited(0.9, 0.9)),
            "what base or head left behind used 90 % of a CPU while the other one had its window");
}

TEST(WaitingSides, OnePercentIsIdleAndWhatWasNotReadSaysNothing) {
  EXPECT_EQ(busy_while_waiting(pair_that_waited(0.01, 0.01)), "");
  EXPECT_NE(busy_while_waiting(pair_that_waited(0, 0.0101)), "");
  EXPECT_EQ(busy_while_waiting(pair_that_waited(std::nullopt, std::nullopt)), "");
}

TEST(WaitingSides, WhatIsSetAsideStaysOnRecordAndIsNotClean) {
  MeasuredPair pair = pair_that_waited(0, 0);
  EXPECT_TRUE(is_clean(pair.base.replicates[0]));
  EXPECT_TRUE(set_aside_alternating("why", pair));
  EXPECT_TRUE(is_set_aside(pair));
  EXPECT_TRUE(pair.head.replicates[0].record);
  EXPECT_FALSE(is_clean(pair.base.replicates[0]));
  EXPECT_FALSE(is_clean(pair.head.replicates[0]));
  EXPECT_FALSE(set_aside_alternating("again", pair));
  EXPECT_EQ(pair.base.replicates[0].set_aside, "why");
}

TEST(WaitingSides, OneBusyPairSetsAllAlternatingOnesAsideAndNoOther) {
  std::vector<MeasuredPair> pairs = {pair_that_waited(0, 0), pair_that_waited(std::nullopt, std::nullopt),
                                     pair_that_waited(0, 0.2), pair_that_waited(std::nullopt, 0)};
  set_aside_where_busy(pairs);
  EXPECT_TRUE(is_set_aside(pairs[0]));
  EXPECT_FALSE(is_set_aside(pairs[1])) << "measured one after the other";
  EXPECT_TRUE(is_set_aside(pairs[2]));
  EXPECT_TRUE(is_set_aside(pairs[3])) << "an older base does not say how it waited";
  std::vector<MeasuredPair> idle = {pair_that_waited(0, 0.004)};
  set_aside_where_busy(idle);
  EXPECT_FALSE(is_set_aside(idle[0]));
}

}  // namespace
}  // namespace stepgate
