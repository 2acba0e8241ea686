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

std::vector<std::string> chosen_names(const std::vector<Outcome>& outcomes, TierChoice half) {
  std::vector<std::string> names;
  for (const NewMetricCase& each : new_metric_cases(outcomes, half)) names.push_back(each.name);
  return names;
}

TEST(NewMetricCases, PassAndHaveOne) {
  const std::vector<Outcome> outcomes = {half_of("a/b/tiny", TierChoice::exact, Status::pass, {new_one}),
                                         half_of("a/a/tiny", TierChoice::all, Status::pass, {new_one}),
                                         half_of("a/c/tiny", TierChoice::exact, Status::pass, {})};
  EXPECT_THAT(chosen_names(outcomes, TierChoice::all), ElementsAre("a/b/tiny", "a/a/tiny"));
  EXPECT_THAT(chosen_names(outcomes, TierChoice::exact), ElementsAre("a/b/tiny", "a/a/tiny"));
  EXPECT_THAT(chosen_names(outcomes, TierChoice::timed), ElementsAre("a/a/tiny"));
}

TEST(NewMetricCases, LeaveOutWhatAPersonMustLookAt) {
  const MetricVerdict waived = metric_with(Status::pass, ReasonCode::waived);
  const std::vector<Outcome> outcomes = {
      half_of("a/red/tiny", TierChoice::exact, Status::regressed, {new_one}),
      half_of("a/open/tiny", TierChoice::exact, Status::inconclusive, {new_one}),
      half_of("a/better/tiny", TierChoice::exact, Status::improved, {new_one}),
      half_of("a/waived/tiny", TierChoice::exact, Status::pass, {waived, new_one}),
  };
  EXPECT_THAT(chosen_names(outcomes, TierChoice::all), IsEmpty());
}

TEST(NewMetricCases, AreJudgedByTheHalfThatIsAsked) {
  const std::vector<Outcome> outcomes = {half_of("a/b/tiny", TierChoice::exact, Status::pass, {new_one}),
                                         half_of("a/b/tiny", TierChoice::timed, Status::regressed, {})};
  EXPECT_THAT(chosen_names(outcomes, TierChoice::all), IsEmpty()) << "its session would be accepted, too";
  EXPECT_THAT(chosen_names(outcomes, TierChoice::exact), ElementsAre("a/b/tiny"));
}

TEST(NewMetricCases, BringThePendingFilesOfTheirOwnVerdicts) {
  Outcome exact = half_of("a/b/tiny", TierChoice::exact, Status::pass, {new_one});
  exact.pending_digests = {"portable of b"};
  Outcome timed = half_of("a/b/tiny", TierChoice::timed, Status::pass, {});
  timed.pending_digests = {"session of b"};
  Outcome other = half_of("a/c/tiny", TierChoice::exact, Status::pass, {});
  other.pending_digests = {"portable of c"};
  const auto digests = [&](TierChoice half) {
    const std::vector<NewMetricCase> cases = new_metric_cases({exact, timed, other}, half);
    return cases.size() == 1 ? cases.front().pending_digests : std::vector<std::string>{"not one case"};
  };
  EXPECT_THAT(digests(TierChoice::all), ElementsAre("portable of b", "session of b"));
  EXPECT_THAT(digests(TierChoice::exact), ElementsAre("portable of b"));
}

TEST(NewMetricCases, AreNeverChosenByPairs) {
  Outcome pairs = half_of("a/b/tiny", TierChoice::all, Status::pass, {new_one});
  pairs.kind = result_of_pairs;
  pairs.pairs_decided = true;
  EXPECT_THAT(chosen_names({pairs}, TierChoice::all), IsEmpty()) << "it is new to the base build";
  Outcome confirmed = half_of("a/b/tiny", TierChoice::timed, Status::pass, {new_one});
  confirmed.pairs_decided = true;
  EXPECT_THAT(chosen_names({confirmed}, TierChoice::timed), IsEmpty()) << "its session is red";
  const Outcome exact = half_of("a/b/tiny", TierChoice::exact, Status::pass, {new_one});
  EXPECT_THAT(chosen_names({exact, pairs}, TierChoice::all), ElementsAre("a/b/tiny"));
  pairs.verdict.status = Status::regressed;
  EXPECT_THAT(chosen_names({exact, pairs}, TierChoice::all), IsEmpty()) << "a person must look at the red";
}

}  // namespace
}  // namespace stepgate
