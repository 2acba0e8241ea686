#include "diagnose/profile/advice_call_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Proven, with an interval of a tenth of the effect on both sides. Line 0: the whole function.
CallCost proven_cost(std::int64_t line, double effect, std::string function = "Net::forward") {
  return {.at = {function, "net.cpp", line},
          .name = line > 0 ? "net.cpp:" + std::to_string(line) : function,
          .observed = effect,
          .calls = 4,
          .processes = 6,
          .effect = effect,
          .interval = Interval{0.9 * effect, 1.1 * effect},
          .proof = Proof::proven};
}

std::vector<std::string> names_in(const std::vector<Advice>& advice) {
  std::vector<std::string> names;
  for (const Advice& each : advice) {
    const std::string_view text = each.text;
    names.emplace_back(text.substr(17, text.find(" take this") - 17));  // after "the operators of "
  }
  return names;
}

TEST(CallCostAdvice, SaysWhatACheaperFormWinsAtMost) {
  SampleProfileInput input;
  input.call_costs = {proven_cost(12, 0.2)};
  const Advice advice = profile_case(input).advice.front();
  EXPECT_EQ(advice.text, "the operators of net.cpp:12 take this: what a cheaper form of them wins at most");
  EXPECT_EQ(
      advice.evidence,
      "repeated calls: the step is 20.0 % [18.0 %, 22.0 %] longer when they run twice; they were seen to take 20.0 %");
  EXPECT_EQ(advice.proof, Proof::proven);
  EXPECT_DOUBLE_EQ(advice.worth, 0.2);
  EXPECT_EQ(advice.at, (SourceFrame{"Net::forward", "net.cpp", 12}));
}

/// A second call may cost more than the first, and an observer does not see all of it.
TEST(CallCostAdvice, AMendWinsBetweenWhatWasSeenAndWhatASecondCallCosts) {
  CallCost cost = proven_cost(12, 0.3);
  cost.observed = 0.19;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.19);
  EXPECT_DOUBLE_EQ(gain_of(cost).upper, 0.33);
  SampleProfileInput input;
  input.call_costs = {cost};
  EXPECT_DOUBLE_EQ(profile_case(input).advice.front().worth, 0.26);
  cost.observed_range = Interval{0.17, 0.2};
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.17) << "in one of the processes that observed";
  cost.observed_range.reset();
  cost.observed = 0.35;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.27);
  EXPECT_DOUBLE_EQ(gain_of(cost).upper, 0.35);
}

/// Second results that fit beside the step make a second call no dearer than the first.
TEST(CallCostAdvice, SecondCallsThatTouchFewBytesShowWhatTheFirstOnesCost) {
  CallCost cost = proven_cost(12, 0.3);  // [0.27, 0.33] when they run twice
  cost.observed = 0.19;
  cost.most_overshoot = 0.02;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.25);
  EXPECT_DOUBLE_EQ(gain_of(cost).upper, 0.33);
  cost.most_overshoot = 0.2;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.19) << "the observer says more than a refill of 20 % leaves";
  cost.observed = 0.35;
  cost.most_overshoot = 0;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.27);
  EXPECT_DOUBLE_EQ(gain_of(cost).upper, 0.35);
}

/// A mask of 2 048 small calls was seen as 11.3 % of a step and cost as much when they ran twice; its mend won 9.9 %.
TEST(CallCostAdvice, ManySmallCallsMayCostLessThanBothObservingAndRepeatingShow) {
  CallCost cost = proven_cost(12, 0.3);  // [0.27, 0.33] when they run twice
  cost.observed = 0.3;
  cost.most_overshoot = 0.05;
  cost.most_repeating = 0.02;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.25);
  EXPECT_DOUBLE_EQ(gain_of(cost).upper, 0.33);
  cost.observed = 0.24;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.24) << "what was observed is less";
  cost.observed = 0.3;
  cost.most_overshoot.reset();
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0.25) << "no rate of memory was measured";
  cost.most_repeating = 0.4;
  EXPECT_DOUBLE_EQ(gain_of(cost).lower, 0) << "leaving calls out costs nothing";
}

TEST(CallCostAdvice, IsRankedByWorthAsOtherProvenAdvice) {
  SampleProfileInput input;
  input.ran(Experiment::doubled_threads, 0.65, Proof::proven);  // 35 %
  input.ran(Experiment::optimizer_fused, 0.059, Proof::proven);
  input.call_costs = {proven_cost(12, 0.2)};
  const auto advice = profile_case(input).advice;
  ASSERT_GE(advice.size(), 3U);
  EXPECT_EQ(advice[0].text, "2 threads instead of 1");
  EXPECT_THAT(advice[1].text, HasSubstr("net.cpp:12"));
  EXPECT_THAT(advice[2].evidence, HasSubstr("optimizer-fused"));
}

/// Operators of these lines of Net::forward, each of which takes 1 ms of a step of 10 ms.
Profile profile_of_lines(const std::vector<std::int64_t>& lines) {
  Profile profile;
  profile.step.mean_ns = 10e6;
  for (const std::int64_t line : lines) {
    OperatorRow& row = profile.operators.emplace_back();
    row.at = SourceFrame{"Net::forward", "net.cpp", line};
    row.self_ns = 1e6;
  }
  return profile;
}

TEST(CallCostAdvice, IsGivenOfProvenPlacesOnlyAndOfThreeAtMost) {
  CallCost undecided = proven_cost(11, 0.1);
  undecided.proof = Proof::undecided;
  CallCost refuted = proven_cost(12, 0.001);
  refuted.proof = Proof::refuted;
  const CallCost absent{.at = {"Net::forward", "net.cpp", 13}, .name = "net.cpp:13", .absent = "it ran in no step"};
  Profile profile = profile_of_lines({11, 12, 13, 21, 22, 23, 24});
  profile.call_costs = {undecided, refuted, absent};
  EXPECT_TRUE(call_cost_advice({profile}).empty());
  profile.call_costs = {proven_cost(21, 0.13), proven_cost(22, 0.12), proven_cost(23, 0.11), proven_cost(24, 0.1),
                        undecided};
  EXPECT_EQ(names_in(call_cost_advice({profile})),
            (std::vector<std::string>{"net.cpp:21", "net.cpp:22", "net.cpp:23"}));
}

TEST(CallCostAdvice, NamesTheInnermostPlacesBeforeTheirCallers) {
  Profile profile = profile_of_lines({21, 22});
  profile.call_costs = {proven_cost(90, 0.4, "main"), proven_cost(21, 0.1), proven_cost(22, 0.09)};
  EXPECT_EQ(names_in(call_cost_advice({profile})),
            (std::vector<std::string>{"net.cpp:21", "net.cpp:22", "net.cpp:90"}));
  profile.call_costs.push_back(proven_cost(0, 0.2));
  EXPECT_EQ(names_in(call_cost_advice({profile})),
            (std::vector<std::string>{"net.cpp:21", "net.cpp:22", "Net::forward"}))
      << "a function that calls its operators itself is no caller";
}

/// Its operators are told already.
TEST(CallCostAdvice, LeavesOutTheCallerOfAPlaceThatItNames) {
  Profile profile = profile_of_lines({21});
  ProfileRun run;
  ObservedWork& work = run.observed.emplace();
  work.places = {{.offsets = {}, .frames = {{"Net::forward", "net.cpp", 21}, {"main", "net.cpp", 90}}},
                 {.offsets = {}, .frames = {{"small", "net.cpp", 40}, {"main", "net.cpp", 91}}}};
  for (std::size_t place = 0; place < 2; ++place) {
    work.sites.push_back(SampleProfileInput::site("forward", "aten::mm", 1'000'000));
    work.sites.back().place = place;
  }
  profile.call_costs = {proven_cost(0, 0.5, "main"), proven_cost(90, 0.4, "main"), proven_cost(91, 0.2, "main"),
                        proven_cost(21, 0.1)};
  EXPECT_EQ(names_in(call_cost_advice({profile, &run})), (std::vector<std::string>{"net.cpp:21", "net.cpp:91"}));
}

/// A repeat() of 20 % of the step at net.cpp:12.
SampleProfileInput with_repeat_at_a_line() {
  SampleProfileInput input;
  OperatorSite repeat = SampleProfileInput::site("forward", "aten::repeat", 16'000'000);
  repeat.inputs = {{.sizes = {1, 64}, .strides = {64, 1}, .dtype = "float32"}};
  repeat.place = 0;
  input.run().observed->sites.push_back(repeat);
  return input;
}

Advice advice_on_repeat(const ProfileInput& input) {
  for (const Advice& each : profile_case(input).advice) {
    if (each.text.starts_with("repeat() where expand() would do")) return each;
  }
  ADD_FAILURE() << "no advice about repeat()";
  return {};
}

TEST(CallCostAdvice, APatternIsWorthAtMostWhatItsLineWasProvenToCost) {
  SampleProfileInput input = with_repeat_at_a_line();
  EXPECT_NEAR(advice_on_repeat(input).worth, 0.2, 1e-9);
  input.call_costs = {proven_cost(12, 0.1)};
  const Advice bounded = advice_on_repeat(input);
  EXPECT_NEAR(bounded.worth, 0.11, 1e-9);
  EXPECT_EQ(bounded.proof, Proof::likely);
  EXPECT_THAT(bounded.evidence,
              HasSubstr("; repeated calls: all operators of net.cpp:12 cost at most 11.0 % of the step"));
  input.call_costs.push_back(proven_cost(0, 0.05));
  EXPECT_NEAR(advice_on_repeat(input).worth, 0.055, 1e-9) << "the lower of two bounds";
}

TEST(CallCostAdvice, NothingElseBoundsAPattern) {
  SampleProfileInput input = with_repeat_at_a_line();
  CallCost undecided = proven_cost(12, 0.1);
  undecided.proof = Proof::undecided;
  CallCost elsewhere = proven_cost(12, 0.1);
  elsewhere.at.file = "other/net.cpp";
  input.call_costs = {undecided, elsewhere, proven_cost(13, 0.1), proven_cost(12, 0.3)};
  const Advice free = advice_on_repeat(input);
  EXPECT_NEAR(free.worth, 0.2, 1e-9);
  EXPECT_THAT(free.evidence, Not(HasSubstr("repeated calls")));
}

TEST(CallCostAdvice, APatternOfSeveralLinesIsNotBoundedByOneOfThem) {
  SampleProfileInput input = with_repeat_at_a_line();
  ObservedWork& work = *input.run().observed;
  work.places.push_back({.offsets = {}, .frames = {{"Net::head", "net.cpp", 20}, {"Net::forward", "net.cpp", 14}}});
  OperatorSite other = work.sites.back();
  other.place = 1;
  work.sites.push_back(other);
  input.call_costs = {proven_cost(12, 0.05), proven_cost(20, 0.05, "Net::head")};
  EXPECT_NEAR(advice_on_repeat(input).worth, 0.3, 1e-9) << "all of forward";
  input.call_costs.push_back(proven_cost(0, 0.1));
  EXPECT_NEAR(advice_on_repeat(input).worth, 0.11, 1e-9) << "both are called by Net::forward";
}

TEST(CallCostAdvice, APatternOfTheLoaderIsNotBounded) {
  SampleProfileInput input = with_repeat_at_a_line();
  input.run().observed->sites.back().boundary = "data_wait";
  input.call_costs = {proven_cost(12, 0.02)};
  EXPECT_NEAR(advice_on_repeat(input).worth, 0.1, 1e-9) << "what the step waits for data";
}

TEST(CallCostAdvice, SmallCallsOfALineAreBoundedToo) {
  SampleProfileInput input;
  OperatorSite adds = SampleProfileInput::site("forward", "aten::add", 7'200'000);
  adds.calls = adds.leaf_calls = 4 * 600;
  adds.place = 0;
  input.run().observed->sites.push_back(adds);
  input.call_costs = {proven_cost(12, 0.05)};
  for (const Advice& each : profile_case(input).advice) {
    if (!each.text.starts_with("many small calls")) continue;
    EXPECT_NEAR(each.worth, 0.055, 1e-9);
    EXPECT_THAT(each.evidence, HasSubstr("repeated calls: all operators of net.cpp:12"));
    return;
  }
  FAIL() << "no advice about small calls";
}

}  // namespace
}  // namespace stepgate
