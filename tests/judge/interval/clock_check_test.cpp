#include "judge/interval/clock_check.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stepgate {
namespace {

Session session_with_clock(std::int64_t day, std::vector<double> mhz) {
  Session result;
  result.unix_s = day * 86400;
  result.timed = {{"step_time_ns", {20e6}}};
  if (!mhz.empty()) result.timed["gpu_clock_mhz"] = std::move(mhz);
  return result;
}

ClockCheck clock_checked(const std::vector<double>& current, const std::vector<Session>& sessions) {
  CaseValues values;
  if (!current.empty()) values.timed["gpu_clock_mhz"] = current;
  const Policy policy;
  const auto clusters = session_clusters(sessions, policy.session_gap_s);
  return check_clock({values, clusters, policy});
}

TEST(ClockCheck, IsStillWithinOnePercentAndMovedBeyondIt) {
  const std::vector<Session> stored = {session_with_clock(0, {1500}), session_with_clock(1, {1500})};
  EXPECT_EQ(clock_checked({1514}, stored).outcome, ClockCheck::Outcome::still);
  EXPECT_EQ(clock_checked({1516}, stored).outcome, ClockCheck::Outcome::moved);
  EXPECT_EQ(clock_checked({1486}, stored).outcome, ClockCheck::Outcome::still);
  EXPECT_EQ(clock_checked({1484}, stored).outcome, ClockCheck::Outcome::moved);
}

TEST(ClockCheck, ExplainsItsShiftAndTheToleranceEitherWay) {
  const std::vector<Session> stored = {session_with_clock(0, {1500}), session_with_clock(1, {1500})};
  EXPECT_EQ(clock_checked({1514}, stored).explained, 0);
  EXPECT_NEAR(clock_checked({1400}, stored).explained, std::log(1500. / 1400) + std::log(1.01), 1e-9);
  EXPECT_NEAR(clock_checked({1600}, stored).explained, std::log(1600. / 1500) + std::log(1.01), 1e-9);
  EXPECT_EQ(clock_checked({}, stored).explained, 0);
}

TEST(ClockCheck, ComparesMeansOfProcessesAndSessions) {
  const ClockCheck check =
      clock_checked({1470, 1500}, {session_with_clock(0, {1400, 1440}), session_with_clock(1, {1500, 1500})});
  EXPECT_NEAR(check.current_mhz, 1485, 0.1);
  EXPECT_NEAR(check.stored_mhz, 1459.3, 0.1);
  EXPECT_EQ(check.outcome, ClockCheck::Outcome::moved);
}

TEST(ClockCheck, SessionsBackToBackCountAsOne) {
  std::vector<Session> stored = {session_with_clock(0, {1000}), session_with_clock(1, {2000}),
                                 session_with_clock(1, {2000})};
  stored.back().unix_s += 60;
  EXPECT_NEAR(clock_checked({1414}, stored).stored_mhz, 1414.2, 0.1);
}

TEST(ClockCheck, IsAbsentWhereASideHasNoClock) {
  EXPECT_EQ(clock_checked({}, {session_with_clock(0, {1500})}).outcome, ClockCheck::Outcome::absent);  // on a CPU
  EXPECT_EQ(clock_checked({1200}, {session_with_clock(0, {})}).outcome, ClockCheck::Outcome::absent)
      << "a session of an older version";
  EXPECT_EQ(clock_checked({1200}, {}).outcome, ClockCheck::Outcome::absent);
  EXPECT_EQ(clock_checked({1200}, {session_with_clock(0, {}), session_with_clock(1, {1500})}).outcome,
            ClockCheck::Outcome::moved);
}

}  // namespace
}  // namespace stepgate
