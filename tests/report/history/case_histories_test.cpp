#include "report/history/case_histories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sample_page.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* drawn_case = "language/char_lm/full";

/// The key of red_by_pairs()'s facts, and other ones.
const Fingerprint same_machine = {{"gpu", "NVIDIA H200"}, {"threads", "8"}};
const Fingerprint same_machine_in_pairs = {{"gpu", "NVIDIA H200"}, {"threads", "8"}, {"pairs", "windows"}};
const Fingerprint other_machine = {{"gpu", "NVIDIA A100"}, {"threads", "8"}};

/// Adds `count` points of `value` under the key, each a session of its own.
void add_epoch(HistoryReport& report, const std::string& key, std::size_t count, double value) {
  HistoryEpoch epoch;
  epoch.key = key;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t session = report.sessions.size();
    report.sessions.push_back({.utc = "2026-10-01T00:00:00Z", .commit = "a1b2c3d4e5f6a7b8", .runner_class = "h200"});
    epoch.points.push_back({.first_session = session, .last_session = session, .value = value});
  }
  epoch.levels = {{0, count, value}};
  report.series.front().epochs.push_back(epoch);
}

HistoryReport step_times() {
  HistoryReport report;
  report.keys = {{"same", same_machine}, {"pairs", same_machine_in_pairs}, {"other", other_machine}};
  HistorySeries& series = report.series.emplace_back();
  series.name = {drawn_case, "step_time_ns", "h200"};
  series.gates = true;
  series.unit = MetricUnit::ns;
  return report;
}

/// What is drawn beside the red step time of a run in pairs.
MetricHistory drawn_beside(const HistoryReport& history, const Outcome& outcome = red_by_pairs()) {
  RunReport run = report_of({outcome});
  run.runner_class = "h200";
  const CaseHistories found = case_histories(history, run);
  const auto one = found.find(drawn_case);
  return one == found.end() ? MetricHistory{.note = "none"} : one->second.at("step_time_ns");
}

TEST(CaseHistories, SessionsUnderTheKeyOfTheRunAreDrawnAndNotTheNewestOfAnother) {
  HistoryReport history = step_times();
  add_epoch(history, "pairs", 3, 9e6);
  add_epoch(history, "other", 5, 2e6);
  const MetricHistory drawn = drawn_beside(history);
  EXPECT_EQ(drawn.note, "");
  ASSERT_EQ(drawn.points.size(), 3U);
  EXPECT_EQ(drawn.points[0].value, 9e6);
  EXPECT_EQ(drawn.points[0].commit, "a1b2c3d");
  EXPECT_FALSE(drawn.points[0].begins_level);
}

TEST(CaseHistories, OnlyAnotherKeyIsToldAndNotDrawn) {
  HistoryReport history = step_times();
  add_epoch(history, "other", 5, 2e6);
  const MetricHistory drawn = drawn_beside(history);
  EXPECT_TRUE(drawn.points.empty());
  EXPECT_THAT(drawn.note, HasSubstr("gpu NVIDIA A100 there, NVIDIA H200 here"));
}

TEST(CaseHistories, ImportedSessionsAreNeverDrawn) {
  HistoryReport history = step_times();
  history.keys["same"]["imported_from"] = "google-benchmark";
  add_epoch(history, "same", 5, 9e6);
  const MetricHistory drawn = drawn_beside(history);
  EXPECT_TRUE(drawn.points.empty());
  EXPECT_THAT(drawn.note, HasSubstr("imported from google-benchmark there"));
}

TEST(CaseHistories, SessionsInPairsComeFirstBesideARunInPairsAndOthersAreMarked) {
  HistoryReport history = step_times();
  add_epoch(history, "pairs", 3, 9e6);
  add_epoch(history, "same", 4, 8e6);
  EXPECT_EQ(drawn_beside(history).points.size(), 3U);
  Outcome gated = red_by_pairs();
  gated.kind = {.half = TierChoice::timed};
  EXPECT_EQ(drawn_beside(history, gated).points.size(), 4U);
  HistoryReport alone = step_times();
  add_epoch(alone, "same", 4, 8e6);
  EXPECT_EQ(drawn_beside(alone).points.size(), 4U);
  EXPECT_THAT(drawn_beside(alone).note, HasSubstr("alone and this run in pairs"));
}

TEST(CaseHistories, TheNewestPointsAreKeptWithTheirLevels) {
  HistoryReport history = step_times();
  add_epoch(history, "pairs", most_drawn_history_points + 50, 9e6);
  HistoryEpoch& epoch = history.series.front().epochs.front();
  epoch.levels = {{0, 100, 9e6}, {100, most_drawn_history_points + 50, 9.5e6}};
  const MetricHistory drawn = drawn_beside(history);
  EXPECT_EQ(drawn.earlier, 50U);
  ASSERT_EQ(drawn.points.size(), most_drawn_history_points);
  EXPECT_EQ(drawn.points[49].level, 9e6);
  EXPECT_TRUE(drawn.points[50].begins_level);
  EXPECT_EQ(drawn.points[51].level, 9.5e6);
}

TEST(CaseHistories, AnotherClassAndWhatPassedHaveNone) {
  HistoryReport history = step_times();
  add_epoch(history, "pairs", 3, 9e6);
  history.series.front().name.runner_class = "a100";
  EXPECT_EQ(drawn_beside(history).note, "none");
  history.series.front().name.runner_class = "h200";
  Outcome passed = red_by_pairs();
  for (MetricVerdict& metric : passed.verdict.metrics) metric.status = Status::pass;
  EXPECT_EQ(drawn_beside(history, passed).note, "none");
}

}  // namespace
}  // namespace stepgate
