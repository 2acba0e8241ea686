#include "judge/interval/reference_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace stepgate {
namespace {

constexpr std::int64_t one_day_s = 86400;

Session stored_session(std::int64_t unix_s, double step_ns, double reference_ns) {
  Session result;
  result.unix_s = unix_s;
  result.timed = {{"step_time_ns", {step_ns}}, {"samples_per_s", {1e9 / step_ns}}};
  if (reference_ns > 0) result.timed["reference_step_ns"] = {reference_ns};
  return result;
}

struct Measured {
  CaseValues current;
  std::vector<Session> sessions;
  Policy policy;

  std::optional<RelativeChange> over_reference(const char* metric, double prior = 0.02) const {
    const auto clusters = session_clusters(sessions, policy.session_gap_s);
    return change_over_reference(*find_metric(metric), prior, {current, clusters, policy});
  }
};

Measured measured(double step_ns, double reference_ns) {
  Measured result;
  result.current.timed = stored_session(0, step_ns, reference_ns).timed;
  return result;
}

TEST(ChangeOverReference, TakesOffWhatTheMachineGivesToBoth) {
  Measured both = measured(20e6 * 0.8, 5e6 * 0.8);
  both.sessions = {stored_session(0, 20e6, 5e6), stored_session(one_day_s, 22e6, 5.5e6),
                   stored_session(2 * one_day_s, 18e6, 4.5e6)};
  const auto change = both.over_reference("step_time_ns");
  ASSERT_TRUE(change);
  EXPECT_NEAR(change->estimate().theta, 0, 1e-12);
  EXPECT_NEAR(change->machine, std::log(0.8) - (std::log(1.1) + std::log(0.9)) / 3, 1e-12);
  EXPECT_EQ(change->stored.sessions, 3);
}

TEST(ChangeOverReference, PositiveIsWorseForRatesToo) {
  Measured slower = measured(20e6 * 1.1, 5e6 * 0.9);
  slower.sessions = {stored_session(0, 20e6, 5e6)};
  const double expected = std::log(1.1 / 0.9);
  EXPECT_NEAR(slower.over_reference("step_time_ns")->estimate().theta, expected, 1e-12);
  EXPECT_NEAR(slower.over_reference("samples_per_s")->estimate().theta, expected, 1e-12);
}

TEST(ChangeOverReference, AddsBothPriorsAndTheMovesOfTheMachine) {
  Measured still = measured(20e6, 5e6);
  still.sessions = {stored_session(0, 20e6, 5e6)};
  // s = sqrt(.03^2 + .02^2), se = s sqrt(2), 4 degrees of freedom.
  const Estimate estimate = still.over_reference("step_time_ns", 0.03)->estimate();
  EXPECT_NEAR(estimate.standard_error, std::sqrt(2 * (0.03 * 0.03 + 0.02 * 0.02)), 1e-12);
  EXPECT_EQ(estimate.degrees_of_freedom, 4);
  Measured moved = still;
  moved.current.timed = stored_session(0, 20e6 * 0.8, 5e6 * 0.8).timed;
  const Estimate wider = moved.over_reference("step_time_ns", 0.03)->estimate();
  EXPECT_NEAR(wider.standard_error, std::hypot(estimate.standard_error, 0.3 * std::log(0.8)), 1e-12);
}

TEST(ChangeOverReference, TakesSessionsThatHaveBoth) {
  Measured some = measured(20e6, 5e6);
  some.sessions = {stored_session(0, 20e6, 5e6), stored_session(60, 40e6, 0), stored_session(one_day_s, 30e6, 0)};
  const auto change = some.over_reference("step_time_ns");
  ASSERT_TRUE(change);
  EXPECT_EQ(change->stored.sessions, 1);
  EXPECT_NEAR(change->estimate().theta, 0, 1e-12);
}

TEST(ChangeOverReference, IsAbsentWithoutAReference) {
  Measured without = measured(20e6, 5e6);
  without.sessions = {stored_session(0, 20e6, 0)};
  EXPECT_FALSE(without.over_reference("step_time_ns"));
  without.sessions = {stored_session(0, 20e6, 5e6)};
  without.current.timed.erase("reference_step_ns");
  EXPECT_FALSE(without.over_reference("step_time_ns"));
}

}  // namespace
}  // namespace stepgate
