#include "judge/history/judge_history.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judge/history/change_states.h"

namespace stepgate {
namespace {

constexpr std::int64_t history_day_s = 24 * 3600;

/// A session a day, each with one time, its reference case and one counter.
struct Day {
  double step_ns;
  double reference_ns = 5e6;
  double operators = 100;
  std::int64_t at_s = -1;  ///< -1: a day after the one before
};

/// A pattern with the spread of noise and without chance.
double wobble(std::size_t i) { return 0.002 * std::sin(static_cast<double>(i * i + 1)); }

History history_of(const std::vector<Day>& days) {
  History history;
  std::int64_t now_s = 1'700'000'000;
  for (std::size_t i = 0; i < days.size(); ++i) {
    now_s = days[i].at_s >= 0 ? days[i].at_s : now_s + history_day_s;
    HistorySession session{
        .runner_class = "box", .utc = "", .unix_s = now_s, .commit = "commit" + std::to_string(100 + i), .run = ""};
    session.keys = {{"k", {{"torch", "2.11"}}}};
    session.cases.push_back(
        {.name = "a/b",
         .exact = HistoryHalf{"k", {{"operators_per_step", days[i].operators, 2, 0}}},
         .timed = HistoryHalf{"k",
                              {{"reference_step_ns", days[i].reference_ns * (1 + wobble(i + 7)), 5, 0.01},
                               {"step_time_ns", days[i].step_ns * (1 + wobble(i)), 5, 0.01}}}});
    history.sessions.push_back(session);
  }
  return history;
}

std::vector<Day> days(std::size_t before, std::size_t after, double factor) {
  std::vector<Day> all(before, Day{1e7});
  all.insert(all.end(), after, Day{1e7 * factor});
  return all;
}

const HistoryEpoch& epoch_of_metric(const HistoryReport& report, const std::string& metric) {
  for (const HistorySeries& series : report.series) {
    if (series.name.metric == metric) return series.epochs.front();
  }
  throw std::runtime_error("no series " + metric);
}

TEST(JudgeHistory, ASlowerLevelIsAnAlertOnlyOnceTwoAnalysesFoundIt) {
  std::size_t first_seen = 0;
  for (std::size_t after = 1; after <= 12; ++after) {
    const HistoryReport report = judge_history(history_of(days(20, after, 1.05)));
    const auto& changes = epoch_of_metric(report, "step_time_ns").changes;
    if (changes.empty()) continue;
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].index, 20u);
    if (first_seen == 0) {
      first_seen = after;
      EXPECT_EQ(changes[0].state, ChangeState::waiting);
    } else {
      EXPECT_EQ(changes[0].state, ChangeState::alert) << after;
    }
  }
  EXPECT_GE(first_seen, 4u);
  EXPECT_LE(first_seen, 8u);
}

TEST(JudgeHistory, AGainIsNoted) {
  const HistoryReport report = judge_history(history_of(days(20, 10, 0.95)));
  const auto& changes = epoch_of_metric(report, "step_time_ns").changes;
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].state, ChangeState::noted);
}

TEST(JudgeHistory, AReferenceThatMovedTooMeansTheMachine) {
  std::vector<Day> all = days(20, 10, 1.05);
  for (std::size_t i = 20; i < all.size(); ++i) all[i].reference_ns *= 1.04;
  const HistoryReport report = judge_history(history_of(all));
  EXPECT_EQ(epoch_of_metric(report, "step_time_ns").changes.at(0).state, ChangeState::machine);
}

TEST(JudgeHistory, AnAcknowledgedChangeIsNoAlertAlsoBesideItsPoint) {
  History history = history_of(days(20, 10, 1.05));
  history.acknowledged.push_back({"a/b:step_time_ns@box", "commit123", "larger vocabulary", ""});
  EXPECT_EQ(epoch_of_metric(judge_history(history), "step_time_ns").changes.at(0).state, ChangeState::acknowledged);
  history.acknowledged.front().commit = "commit105";
  EXPECT_EQ(epoch_of_metric(judge_history(history), "step_time_ns").changes.at(0).state, ChangeState::alert);
}

/// Noise of about 1 %, and a step of 0.8 % every 25 days.
std::vector<Day> creeping(int steps) {
  std::vector<Day> all;
  for (int step = 0; step <= steps; ++step) {
    for (int day = 0; day < 25; ++day)
      all.push_back({1e7 * std::pow(1.008, step) * (1 + 5 * wobble(all.size() + 750))});
  }
  return all;
}

TEST(JudgeHistory, StepsOfLessThanAPercentAreNoticedByTheThird) {
  std::vector<Day> all = creeping(3);
  EXPECT_TRUE(has_alert(epoch_of_metric(judge_history(history_of(all)), "step_time_ns")));
  // Ten days after the third step no change is certain yet.
  all.resize(85, Day{1e7});
  const HistoryEpoch epoch = epoch_of_metric(judge_history(history_of(all)), "step_time_ns");
  ASSERT_TRUE(epoch.drift.has_value());
  EXPECT_FALSE(epoch.drift->machine);
  EXPECT_GT(epoch.drift->lower_bound, 0.01);
  EXPECT_LT(epoch.drift->lower_bound, 0.025);
  EXPECT_FALSE(has_alert(epoch_of_metric(judge_history(history_of(creeping(0))), "step_time_ns")));
}

TEST(JudgeHistory, AStepOfItsOwnLineIsNoDrift) {
  const HistoryReport report = judge_history(history_of(days(20, 20, 1.05)));
  const HistoryEpoch& epoch = epoch_of_metric(report, "step_time_ns");
  EXPECT_EQ(epoch.changes.at(0).state, ChangeState::alert);
  EXPECT_FALSE(epoch.drift.has_value());
}

TEST(JudgeHistory, ACommitOfAnotherClassIsNoPointOfASeries) {
  History history = history_of({Day{1e7}, Day{1e7, 5e6, 100, 1'700'000'060}, Day{1e7, 5e6, 100, 1'700'000'120}});
  history.sessions.front().unix_s = 1'700'000'000;
  history.sessions[1].runner_class = "other";
  const HistoryReport report = judge_history(history);
  const HistoryEpoch& epoch = epoch_of_metric(report, "step_time_ns");
  ASSERT_EQ(report.sessions[epoch.points.at(0).first_session].runner_class, "box");
  ASSERT_EQ(epoch.points.size(), 2u);
  EXPECT_EQ(point_of_commit(report, epoch, "commit102"), 1u);
  EXPECT_EQ(point_of_commit(report, epoch, "commit101"), std::nullopt);
}

TEST(JudgeHistory, EachChangeOfACounterIsAChange) {
  std::vector<Day> all = days(10, 0, 1);
  for (std::size_t i = 6; i < all.size(); ++i) all[i].operators = 101;
  const HistoryReport report = judge_history(history_of(all));
  const auto& changes = epoch_of_metric(report, "operators_per_step").changes;
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].index, 6u);
  EXPECT_EQ(changes[0].state, ChangeState::alert);
}

History with_gpu_memory(std::size_t from, const std::string& key, const std::string& bytes) {
  History history = history_of(days(20, 0, 1));
  for (std::size_t i = 0; i < history.sessions.size(); ++i) {
    HistorySession& session = history.sessions[i];
    const std::string name = i < from ? "k" : key;
    session.keys = {{name, {{"gpu_memory_bytes", i < from ? "85045477376" : bytes}}}};
    session.cases.front().exact->key = name;
    session.cases.front().timed->key = name;
  }
  return history;
}

TEST(JudgeHistory, KeysThatAreTheSameByTheirRulesAreOneEpoch) {
  const auto epochs = [](const History& history) { return judge_history(history).series.front().epochs.size(); };
  EXPECT_EQ(epochs(with_gpu_memory(10, "driver", "85017755648")), 1U) << "another driver";
  EXPECT_EQ(epochs(with_gpu_memory(10, "gpu", "80793203507")), 2U) << "another GPU";
}

TEST(JudgeHistory, ARampIsRedEveryNightFromThenOn) {
  for (const double slope : {0.01, 0.02}) {
    for (std::size_t nights = 24; nights <= 60; ++nights) {
      std::vector<Day> all;
      for (std::size_t i = 0; i < nights; ++i) all.push_back({1e7 * std::pow(1 + slope, static_cast<double>(i))});
      EXPECT_TRUE(has_alert(epoch_of_metric(judge_history(history_of(all)), "step_time_ns"))) << nights;
    }
  }
}

TEST(JudgeHistory, AnAlertStaysWhereTheLevelComesBack) {
  std::vector<Day> all = days(40, 10, 1.05);
  for (std::size_t nights = 0; nights < 40; ++nights) {
    EXPECT_TRUE(has_alert(epoch_of_metric(judge_history(history_of(all)), "step_time_ns"))) << nights;
    all.push_back({1e7});
  }
}

TEST(JudgeHistory, AnAcknowledgementHoldsForItsOwnChangeAlone) {
  std::vector<Day> all = days(20, 4, 1.05);
  all.insert(all.end(), 20, Day{1e7 * 1.05 * 1.06});
  History history = history_of(all);
  const auto changes_with = [&](const std::string& commit, double size) {
    History copy = history;
    copy.acknowledged.push_back(
        {.series = "a/b:step_time_ns@box", .commit = commit, .reason = "vocabulary", .utc = "", .change = size});
    return epoch_of_metric(judge_history(copy), "step_time_ns").changes;
  };
  auto changes = changes_with("commit120", 0.05);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].state, ChangeState::acknowledged);
  EXPECT_EQ(changes[1].state, ChangeState::alert);
  changes = changes_with("commit124", 0.06);
  EXPECT_EQ(changes[0].state, ChangeState::alert);
  EXPECT_EQ(changes[1].state, ChangeState::acknowledged);
}

TEST(JudgeHistory, AChangeOutgrowsItsAcknowledgement) {
  History history = history_of(days(20, 15, 1.10));
  history.acknowledged.push_back(
      {.series = "a/b:step_time_ns@box", .commit = "commit120", .reason = "vocabulary", .utc = "", .change = 0.04});
  auto change = epoch_of_metric(judge_history(history), "step_time_ns").changes.at(0);
  EXPECT_EQ(change.state, ChangeState::alert);
  EXPECT_EQ(change.acknowledged_change, 0.04);
  history.acknowledged.front().change = 0.09;
  change = epoch_of_metric(judge_history(history), "step_time_ns").changes.at(0);
  EXPECT_EQ(change.state, ChangeState::acknowledged);
}

TEST(JudgeHistory, AReferenceThatMovedHalfAsMuchExcusesHalf) {
  std::vector<Day> all = days(20, 10, 1.10);
  for (std::size_t i = 20; i < all.size(); ++i) all[i].reference_ns *= 1.05;
  const HistoryReport report = judge_history(history_of(all));
  const HistoryChange& change = epoch_of_metric(report, "step_time_ns").changes.at(0);
  EXPECT_EQ(change.state, ChangeState::alert);
  EXPECT_NEAR(change.machine, 0.05, 0.005);
}

TEST(JudgeHistory, ADriftOfTheMachineIsNoAlertAndOneOfTheCaseBesideItIs) {
  const auto drifting = [](double of_the_case) {
    std::vector<Day> all;
    for (std::size_t i = 0; i < 80; ++i) {
      const double machine = 1 + 0.001 * static_cast<double>(i);
      all.push_back({1e7 * machine * (1 + of_the_case * static_cast<double>(i)), 5e6 * machine});
    }
    return epoch_of_metric(judge_history(history_of(all)), "step_time_ns");
  };
  EXPECT_FALSE(has_alert(drifting(0)));
  EXPECT_TRUE(has_alert(drifting(0.002)));
}

TEST(JudgeHistory, ADriftOfTheCaseAfterAStepOfTheMachineIsAnAlert) {
  std::vector<Day> all;
  for (std::size_t i = 0; i < 120; ++i) {
    const double machine = i < 30 ? 1 : 1.05;
    all.push_back({1e7 * machine * (i < 60 ? 1 : 1 + 0.001 * static_cast<double>(i - 60)), 5e6 * machine});
  }
  EXPECT_TRUE(has_alert(epoch_of_metric(judge_history(history_of(all)), "step_time_ns")));
  all.resize(60);
  EXPECT_FALSE(has_alert(epoch_of_metric(judge_history(history_of(all)), "step_time_ns")));
}

TEST(JudgeHistory, CommitsOfHalfAnHourAreAPointEachAndShareASlot) {
  std::vector<Day> all(4, Day{1e7});
  all[1].at_s = 1'700'000'000 + history_day_s + 1799;
  const HistoryReport report = judge_history(history_of(all));
  const std::vector<HistoryPoint>& points = epoch_of_metric(report, "step_time_ns").points;
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].slot, points[1].slot);
  EXPECT_NE(points[1].slot, points[2].slot);
}

TEST(JudgeHistory, AStepAmongCommitsFiveMinutesApartIsFound) {
  std::vector<Day> all = days(20, 20, 1.10);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].at_s = 1'700'000'000 + static_cast<std::int64_t>(300 * i);
  const HistoryReport report = judge_history(history_of(all));
  const auto& changes = epoch_of_metric(report, "step_time_ns").changes;
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].index, 20u);
  EXPECT_EQ(changes[0].state, ChangeState::alert);
}

TEST(JudgeHistory, ACommitThatWasMeasuredAgainIsOnePoint) {
  History history = history_of(days(5, 0, 1));
  history.sessions[4].commit = history.sessions[1].commit;
  const HistoryReport report = judge_history(history);
  const HistoryEpoch& times = epoch_of_metric(report, "step_time_ns");
  ASSERT_EQ(times.points.size(), 4u);
  EXPECT_EQ(times.points[1].sessions, 2u);
  EXPECT_EQ(times.points[1].replicates, 10);
  history.sessions[4].cases[0].exact->values[0].median = 101;
  EXPECT_GT(epoch_of_metric(judge_history(history), "operators_per_step").points.at(1).spread, 0);
}

}  // namespace
}  // namespace stepgate
