#include "baseline/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

const BaselineDiffRow& row_of(const BaselineDiff& diff, const std::string& metric) {
  const auto at = std::find_if(diff.rows.begin(), diff.rows.end(),
                               [&](const BaselineDiffRow& row) { return row.metric == metric; });
  if (at == diff.rows.end()) throw std::out_of_range(metric);
  return *at;
}

TEST(DiffBaselines, EqualBaselinesMoveNothing) {
  const Baseline baseline = portable_sample();
  const BaselineDiff diff = diff_baselines(&baseline, baseline);
  EXPECT_FALSE(diff.first);
  EXPECT_EQ(diff.rows.size(), 4U);
  for (const BaselineDiffRow& row : diff.rows) EXPECT_FALSE(row.moved) << row.metric;
  EXPECT_TRUE(diff.operators.empty());
  EXPECT_TRUE(diff.key_facts.empty());
  EXPECT_EQ(largest_move(diff), "");
}

TEST(DiffBaselines, TellsValuesOperatorsAndKeyFacts) {
  const Baseline committed = portable_sample();
  Baseline pending = committed;
  pending.exact["operators_per_step"] = {413, 413};
  pending.operators["forward"]["aten::contiguous"] = 2;
  pending.key = {{"isa", "AVX2"}, {"torch", "2.12.0"}, {"onednn_isa", "AVX2"}};
  const BaselineDiff diff = diff_baselines(&committed, pending);
  const BaselineDiffRow& row = row_of(diff, "operators_per_step");
  EXPECT_EQ(row.before, 412);
  EXPECT_EQ(row.after, 413);
  EXPECT_TRUE(row.moved);
  EXPECT_NEAR(row.change.value(), 1.0 / 412, 1e-12);
  ASSERT_EQ(diff.operators.size(), 1U);
  EXPECT_EQ(diff.operators[0].difference(), 1);
  ASSERT_EQ(diff.key_facts.size(), 2U);
  EXPECT_EQ(diff.key_facts[0].key, "torch");
  EXPECT_EQ(diff.key_facts[1].key, "onednn_isa");
  EXPECT_EQ(largest_move(diff), "operators_per_step 412 -> 413 (+0.24 %)");
}

TEST(DiffBaselines, SeesASequenceThatKeepsItsMean) {
  const Baseline committed = portable_sample();
  Baseline pending = committed;
  pending.exact["operators_per_step"] = {411, 413};
  const BaselineDiffRow row = row_of(diff_baselines(&committed, pending), "operators_per_step");
  EXPECT_EQ(row.before, row.after);
  EXPECT_TRUE(row.moved);
}

TEST(DiffBaselines, MetricsThatComeAndGoHaveOneSide) {
  const Baseline committed = portable_sample();
  Baseline pending = committed;
  pending.bytes.clear();
  pending.exact["host_syncs_per_step"] = {0, 0};
  const BaselineDiff diff = diff_baselines(&committed, pending);
  EXPECT_FALSE(row_of(diff, "peak_allocated_bytes").after);
  EXPECT_TRUE(row_of(diff, "peak_allocated_bytes").moved);
  EXPECT_FALSE(row_of(diff, "host_syncs_per_step").before);
}

TEST(DiffBaselines, MeasuresCreepAgainstTheCommittedAnchor) {
  Baseline committed = portable_sample();
  committed.anchor = Anchor{"2026-03-01T00:00:00Z", "0000000", {{"operators_per_step", 400}}};
  Baseline pending = portable_sample();
  pending.anchor = Anchor{"", "", {{"operators_per_step", 1}}};
  const BaselineDiff diff = diff_baselines(&committed, pending);
  EXPECT_NEAR(row_of(diff, "operators_per_step").since_anchor.value(), 0.03, 1e-12);
  EXPECT_FALSE(row_of(diff, "loss").since_anchor);
  EXPECT_EQ(diff.anchor_from, "0000000, 2026-03-01");
}

TEST(DiffBaselines, TheFirstOneIsAllNew) {
  const BaselineDiff diff = diff_baselines(nullptr, runner_sample());
  EXPECT_TRUE(diff.first);
  EXPECT_EQ(diff.sessions_after, 1U);
  EXPECT_EQ(row_of(diff, "step_time_ns").after, 1e7);
  EXPECT_TRUE(row_of(diff, "step_time_ns").moved);
}

TEST(HeadlineValues, TakeTheMedianOverAllSessions) {
  Baseline baseline = runner_sample(1, 1e7);
  baseline.sessions.push_back(session_at(2, 2e7));
  EXPECT_EQ(headline_values(baseline).at("step_time_ns"), 1.5e7);
}

TEST(LargestMove, RanksFromZeroAboveEverything) {
  Baseline committed = portable_sample();
  committed.exact["host_syncs_per_step"] = {0, 0};
  Baseline pending = committed;
  pending.exact["host_syncs_per_step"] = {1, 1};
  pending.exact["operators_per_step"] = {900, 900};
  EXPECT_EQ(largest_move(diff_baselines(&committed, pending)), "host_syncs_per_step 0 -> 1 (+1)");
}

}  // namespace
}  // namespace stepgate
