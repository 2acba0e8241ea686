// What a nightly job is told where too little was measured.
#include "judge/history/series_coverage.h"

#include <gtest/gtest.h>

#include "judge/history/judge_history.h"

namespace stepgate {
namespace {

constexpr const char* covered_series = "a/b:step_time_ns@box";

HistoryCase case_of(const std::string& name, double step_ns, const std::string& key = "k") {
  return {.name = name, .exact = {}, .timed = HistoryHalf{key, {{"step_time_ns", step_ns, 5, 0.01}}}};
}

/// A session a night of two cases.
History nights(std::size_t count) {
  History history;
  for (std::size_t i = 0; i < count; ++i) {
    HistorySession session{.runner_class = "box",
                           .utc = "",
                           .unix_s = 1'700'000'000 + 86'400 * static_cast<std::int64_t>(i),
                           .commit = "commit" + std::to_string(100 + i),
                           .commit_number = 100 + static_cast<std::int64_t>(i),
                           .run = std::to_string(i)};
    session.keys = {{"k", {{"torch", "2.11"}, {"kernel", "6.1"}}}};
    const double step_ns = 1e7 * (1 + 0.001 * static_cast<double>(i % 3));
    session.cases = {case_of("a/b", step_ns), case_of("a/c", step_ns)};
    history.sessions.push_back(session);
  }
  return history;
}

const HistorySeries& covered(const HistoryReport& report) {
  for (const HistorySeries& series : report.series) {
    if (text_of(series.name) == covered_series) return series;
  }
  throw std::runtime_error("no such series");
}

TEST(SeriesCoverage, AQuietHistoryIsQuiet) {
  const HistoryReport report = judge_history(nights(40));
  EXPECT_EQ(covered(report).coverage.why, NotJudged::no);
  EXPECT_EQ(standing_of(report), HistoryStanding::quiet);
}

TEST(SeriesCoverage, ASeriesThatTheNewestSessionsLackIsStaleUntilSomebodySaysThatItIsGone) {
  History history = nights(40);
  for (std::size_t i = 25; i < 40; ++i) history.sessions[i].cases.erase(history.sessions[i].cases.begin());
  HistoryReport report = judge_history(history);
  EXPECT_EQ(covered(report).coverage.why, NotJudged::stale);
  EXPECT_EQ(covered(report).coverage.missed, 15u);
  EXPECT_EQ(standing_of(report), HistoryStanding::not_judged);
  history.acknowledged.push_back({.series = covered_series,
                                  .commit = "commit124",
                                  .reason = "removed",
                                  .utc = "",
                                  .kind = AcknowledgedKind::gone});
  report = judge_history(history);
  EXPECT_EQ(covered(report).coverage.why, NotJudged::gone);
  EXPECT_EQ(standing_of(report), HistoryStanding::quiet);
}

TEST(SeriesCoverage, TwoFailedNightsAreNotStaleAndAWeeklyCaseIsNeither) {
  History history = nights(60);
  for (std::size_t i = 58; i < 60; ++i) history.sessions[i].cases.erase(history.sessions[i].cases.begin());
  EXPECT_EQ(covered(judge_history(history)).coverage.why, NotJudged::no);
  History weekly = nights(76);
  for (std::size_t i = 0; i < 76; ++i) {
    if (i % 7 != 0) weekly.sessions[i].cases.erase(weekly.sessions[i].cases.begin());
  }
  EXPECT_EQ(covered(judge_history(weekly)).coverage.why, NotJudged::no);
}

/// From night `first` on, every `every` nights another kernel.
History with_kernels(std::size_t first, std::size_t every) {
  History history = nights(40);
  for (std::size_t i = first; i < 40; ++i) {
    const std::string key = "k" + std::to_string((i - first) / every);
    history.sessions[i].keys[key] = {{"torch", "2.11"}, {"kernel", key}};
    for (HistoryCase& one : history.sessions[i].cases) one.timed->key = key;
  }
  return history;
}

TEST(SeriesCoverage, AKeyThatVariesByItselfIsToldWithItsFact) {
  const HistoryReport report = judge_history(with_kernels(0, 5));
  EXPECT_EQ(covered(report).epochs.size(), 8u);
  EXPECT_EQ(covered(report).coverage.why, NotJudged::key_varies);
  EXPECT_EQ(covered(report).coverage.facts, std::vector<std::string>{"kernel"});
  EXPECT_EQ(standing_of(report), HistoryStanding::not_judged);
}

TEST(SeriesCoverage, AfterANewKeyEightPointsAreNeeded) {
  EXPECT_EQ(covered(judge_history(with_kernels(33, 40))).coverage.why, NotJudged::short_epoch);
  EXPECT_EQ(covered(judge_history(with_kernels(32, 40))).coverage.why, NotJudged::no);
}

TEST(SeriesCoverage, ANewSeriesIsToldAndOnlyWhereNothingElseIsJudgedItCounts) {
  History history = nights(40);
  for (std::size_t i = 0; i < 35; ++i) history.sessions[i].cases.erase(history.sessions[i].cases.begin());
  const HistoryReport report = judge_history(history);
  EXPECT_EQ(covered(report).coverage.why, NotJudged::new_series);
  EXPECT_EQ(standing_of(report), HistoryStanding::quiet);
  EXPECT_EQ(standing_of(judge_history(nights(5))), HistoryStanding::not_judged);
}

TEST(SeriesCoverage, AValueThatIsNotPositiveSilencesNothingButItself) {
  History history = nights(40);
  history.sessions[10].cases[0].timed->values[0].median = 0;
  HistoryReport report = judge_history(history);
  EXPECT_EQ(covered(report).coverage.why, NotJudged::no);
  EXPECT_EQ(covered(report).epochs.front().points.size(), 39u);
  EXPECT_EQ(covered(report).left_out.size(), 1u);
  history.sessions[39].cases[0].timed->values[0].median = -1;
  report = judge_history(history);
  EXPECT_EQ(covered(report).coverage.why, NotJudged::not_positive);
  for (HistorySession& session : history.sessions) session.cases[0].timed->values[0].median = 0;
  report = judge_history(history);
  EXPECT_TRUE(covered(report).epochs.empty());
  EXPECT_EQ(standing_of(report), HistoryStanding::not_judged);
}

TEST(SeriesCoverage, ACounterWhoseProcessesDisagreeIsTold) {
  const auto with_counters = [](std::size_t disagreeing_from) {
    History history = nights(10);
    for (std::size_t i = 0; i < 10; ++i) {
      const double spread = i < disagreeing_from ? 0 : 0.1;
      history.sessions[i].cases[0].exact = HistoryHalf{"k", {{"operators_per_step", 100, 2, spread}}};
    }
    return judge_history(history);
  };
  const auto coverage_with = [&](std::size_t disagreeing_from) {
    for (const HistorySeries& series : with_counters(disagreeing_from).series) {
      if (series.name.metric == "operators_per_step") return series.coverage.why;
    }
    throw std::runtime_error("no such series");
  };
  EXPECT_EQ(coverage_with(7), NotJudged::no_exact_value);
  EXPECT_EQ(coverage_with(0), NotJudged::no_exact_value);
  EXPECT_EQ(coverage_with(8), NotJudged::no);
  EXPECT_EQ(standing_of(with_counters(7)), HistoryStanding::quiet);
}

TEST(SeriesCoverage, AnUnreadableSessionCountsWhileItIsTheNewest) {
  History history = nights(40);
  const auto standing_with = [&](std::optional<std::int64_t> unix_s, const std::string& runner_class) {
    History copy = history;
    copy.unreadable = {
        {.file = "f", .problem = "cut off", .remedy = "r", .runner_class = runner_class, .unix_s = unix_s}};
    return standing_of(judge_history(copy));
  };
  EXPECT_EQ(standing_with(history.sessions.back().unix_s + 60, "box"), HistoryStanding::not_judged);
  EXPECT_EQ(standing_with(history.sessions.back().unix_s - 60, "box"), HistoryStanding::quiet);
  EXPECT_EQ(standing_with(history.sessions.front().unix_s, "other"), HistoryStanding::not_judged);
  EXPECT_EQ(standing_with(std::nullopt, "box"), HistoryStanding::not_judged);
}

}  // namespace
}  // namespace stepgate
