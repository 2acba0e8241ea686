#include "core/verdict/new_metric_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MetricVerdict metric_with(Status status, ReasonCode reason) {
  MetricVerdict metric;
  metric.metric = "host_syncs_per_step";
  metric.status = status;
  metric.reason = reason;
  return metric;
}

const MetricVerdict new_one = metric_with(Status::not_judged, ReasonCode::new_metric);

Outcome half_of(const std::string& name, TierChoice half, Status status, std::vector<MetricVerdict> metrics) {
  Outcome outcome;
  outcome.verdict.case_name = name;
  outcome.verdict.status = status;
  outcome.verdict.metrics = std::move(metrics);
  outcome.kind = {.half = half};
  return outcome;
}

TEST(NewMetricCases, PassAndHaveOne) {
  const std::vector<Outcome> outcomes = {half_of("a/b/tiny", TierChoice::exact, Status::pass, {new_one}),
                                         half_of("a/a/tiny", TierChoice::all, Status::pass, {new_one}),
                                         half_of("a/c/tiny", TierChoice::exact, Status::pass, {})};
  EXPECT_THAT(new_metric_cases(outcomes, TierChoice::all), ElementsAre("a/b/tiny", "a/a/tiny"));
  EXPECT_THAT(new_metric_cases(outcomes, TierChoice::exact), ElementsAre("a/b/tiny", "a/a/tiny"));
  EXPECT_THAT(new_metric_cases(outcomes, TierChoice::timed), ElementsAre("a/a/tiny"));
}

TEST(NewMetricCases, LeaveOutWhatAPersonMustLookAt) {
  const MetricVerdict waived = metric_with(Status::pass, ReasonCode::waived);
  const std::vector<Outcome> outcomes = {
      half_of("a/red/tiny", TierChoice::exact, Status::regressed, {new_one}),
      half_of("a/open/tiny", TierChoice::exact, Status::inconclusive, {new_one}),
      half_of("a/better/tiny", TierChoice::exact, Status::improved, {new_one}),
      half_of("a/waived/tiny", TierChoice::exact, Status::pass, {waived, new_one}),
  };
  EXPECT_THAT(new_metric_cases(outcomes, TierChoice::all), IsEmpty());
}

TEST(NewMetricCases, AreJudgedByTheHalfThatIsAsked) {
  const std::vector<Outcome> outcomes = {half_of("a/b/tiny", TierChoice::exact, Status::pass, {new_one}),
                                         half_of("a/b/tiny", TierChoice::timed, Status::regressed, {})};
  EXPECT_THAT(new_metric_cases(outcomes, TierChoice::all), IsEmpty()) << "its session would be accepted, too";
  EXPECT_THAT(new_metric_cases(outcomes, TierChoice::exact), ElementsAre("a/b/tiny"));
}

}  // namespace
}  // namespace stepgate
