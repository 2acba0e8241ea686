// A runner class that is measured no more, beside another one that is.
#include "judge/history/silent_classes.h"

#include <gtest/gtest.h>

#include "judge/history/judge_history.h"

namespace stepgate {
namespace {

/// 40 commits. Each is measured on the class "box", and on "gpu" those below `until` whose number `every` divides.
History two_classes(std::size_t until, std::size_t every) {
  History history;
  for (std::size_t i = 0; i < 40; ++i) {
    for (const char* runner_class : {"box", "gpu"}) {
      if (std::string(runner_class) == "gpu" && (i >= until || i % every != 0)) continue;
      HistorySession session{.runner_class = runner_class,
                             .utc = "",
                             .unix_s = 1'700'000'000 + 86'400 * static_cast<std::int64_t>(i),
                             .commit = "commit" + std::to_string(100 + i),
                             .commit_number = 100 + static_cast<std::int64_t>(i),
                             .run = std::to_string(i)};
      session.keys = {{"k", {{"torch", "2.11"}}}};
      const double step_ns = 1e7 * (1 + 0.001 * static_cast<double>(i % 3));
      session.cases.push_back(
          {.name = "a/b", .exact = {}, .timed = HistoryHalf{"k", {{"step_time_ns", step_ns, 5, 0.01}}}});
      history.sessions.push_back(session);
    }
  }
  return history;
}

TEST(SilentClasses, AClassThatIsMeasuredNoMoreIsNotGreenUntilSomebodySaysThatItIsGone) {
  History history = two_classes(30, 1);
  HistoryReport report = judge_history(history);
  ASSERT_EQ(report.silent.size(), 1U);
  EXPECT_EQ(report.silent[0].runner_class, "gpu");
  EXPECT_EQ(report.silent[0].commit, "commit129");
  EXPECT_EQ(report.silent[0].missed, 10U);
  EXPECT_EQ(standing_of(report), HistoryStanding::not_judged);
  history.acknowledged.push_back({.series = "@gpu",
                                  .commit = "commit128",
                                  .reason = "moved to another",
                                  .utc = "",
                                  .kind = AcknowledgedKind::gone});
  EXPECT_EQ(standing_of(judge_history(history)), HistoryStanding::not_judged) << "of an earlier commit";
  history.acknowledged.front().commit = "commit129";
  EXPECT_EQ(standing_of(judge_history(history)), HistoryStanding::quiet);
}

TEST(SilentClasses, ARareOneANewOneAndAFewFailedNightsAreNone) {
  EXPECT_TRUE(judge_history(two_classes(40, 1)).silent.empty());
  EXPECT_TRUE(judge_history(two_classes(38, 1)).silent.empty()) << "two nights";
  EXPECT_EQ(judge_history(two_classes(37, 1)).silent.size(), 1U) << "three nights";
  EXPECT_TRUE(judge_history(two_classes(33, 4)).silent.empty()) << "every fourth commit, the last one 7 ago";
  EXPECT_EQ(judge_history(two_classes(28, 3)).silent.size(), 1U) << "every third commit, the last one 12 ago";
  EXPECT_TRUE(judge_history(two_classes(7, 1)).silent.empty()) << "too few to be watched";
}

}  // namespace
}  // namespace stepgate
