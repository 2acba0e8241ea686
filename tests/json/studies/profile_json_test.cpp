#include "json/studies/profile_json.h"

#include <limits>

#include "json/expect_error.h"
#include "support/sample_profile.h"

namespace stepgate {
namespace {

TEST(ProfileJson, KeepsEveryField) {
  const Profile before = sample_profile();
  const Profile after = profile_from_text(to_text(before), "profile.json");
  EXPECT_EQ(to_text(after), to_text(before));
  EXPECT_EQ(after.step.steady_after, 21);
  EXPECT_EQ(after.account[3].kind, Bottleneck::launch);
  EXPECT_FALSE(after.account[5].kind);
  EXPECT_EQ(after.experiments[7].more_processes, 2);
  EXPECT_EQ(after.experiments[5].interval->lower, 0.66);
  EXPECT_EQ(after.experiments.back().absent, "needs a GPU");
  EXPECT_EQ(after.memory, before.memory);
  EXPECT_EQ(after.operators[1].site.inputs, before.operators[1].site.inputs);
  EXPECT_EQ(after.operators[2].at, before.operators[2].at);
  EXPECT_EQ(after.operators[2].calls_are, "5 per parameter tensor");
  EXPECT_TRUE(after.operators[2].overhead);
  EXPECT_TRUE(after.operators[3].below_ridge);
  EXPECT_EQ(after.checklist[3].answer, Answer::needs_gpu);
  EXPECT_EQ(after.peaks.bandwidth[1].bytes_per_s, 2.4e10);
  EXPECT_EQ(profile_from_text(to_text(sample_stopped_profile()), "profile.json").stopped,
            sample_stopped_profile().stopped);
}

TEST(ProfileJson, KeepsOfWhatTheTimesOfOperatorsAre) {
  Profile profile = sample_profile();
  EXPECT_EQ(to_text(profile).find("operator_times"), std::string::npos) << "on a CPU";
  for (const OperatorTimes times : {OperatorTimes::host, OperatorTimes::none, OperatorTimes::device}) {
    profile.operator_times = times;
    EXPECT_EQ(profile_from_text(to_text(profile), "p.json").operator_times, times);
  }
  expect_error([&] { profile_from_text(replaced(to_text(profile), "\"device\",\n", "\"call\",\n"), "p.json"); },
               ErrorKind::measure, {"operator_times", "host, device, none"});
}

TEST(ProfileJson, KeepsCallsThatFewStepsMake) {
  Profile profile = sample_profile();
  profile.operators[1].fractional_calls = 0.125;
  const Profile after = profile_from_text(to_text(profile), "p.json");
  EXPECT_EQ(after.operators[1].fractional_calls, 0.125);
  EXPECT_FALSE(after.operators[0].fractional_calls);
}

TEST(ProfileJson, KeepsTheIntervalOfAProvenKind) {
  Profile profile = sample_profile();
  profile.bottlenecks[0].interval = Interval{0.28, 0.34};
  const Profile after = profile_from_text(to_text(profile), "p.json");
  ASSERT_TRUE(after.bottlenecks[0].interval);
  EXPECT_EQ(after.bottlenecks[0].interval->lower, 0.28);
  EXPECT_EQ(after.bottlenecks[0].interval->upper, 0.34);
  EXPECT_FALSE(after.bottlenecks[1].interval);
}

TEST(ProfileJson, KeepsTheLineOfAdvice) {
  Profile profile = sample_profile();
  profile.advice[0].at = SourceFrame{"CharLm::optimizer_step", "language/char_lm.cpp", 68};
  const Profile after = profile_from_text(to_text(profile), "p.json");
  EXPECT_EQ(after.advice[0].at, profile.advice[0].at);
  EXPECT_FALSE(after.advice[1].at);
}

TEST(ProfileJson, KeepsTheCensusWhereThereIsOne) {
  Profile profile = sample_profile();
  EXPECT_FALSE(profile_from_text(to_text(profile), "p.json").census);
  profile.census = WorkCensus{.copies = {{"aten::flatten", "layout", 1, 0, 3000}},
                              .operands = {{"products", "transposed", 2, 75, 0}},
                              .dtypes = {{"norm", "float32", 1, 0, 7}},
                              .product_flops = 100,
                              .misaligned_flops = 6};
  EXPECT_EQ(profile_from_text(to_text(profile), "p.json").census, profile.census);
}

TEST(ProfileJson, KeepsParametersAndTheMemoryAfterEachBoundary) {
  Profile profile = sample_profile();
  profile.params = {{"model", "naive"}};
  profile.boundary_memory = {
      {"forward", {.peak_allocated_bytes = 8, .allocated_bytes = 7, .requested_bytes = 6, .reserved_bytes = 9}}};
  const Profile after = profile_from_text(to_text(profile), "p.json");
  ASSERT_TRUE(after.boundary_memory.contains("forward"));
  EXPECT_EQ(after.params, profile.params);
  EXPECT_EQ(after.boundary_memory.at("forward").allocated_bytes, 7);
  EXPECT_EQ(after.boundary_memory.at("forward").reserved_bytes, 9);
  EXPECT_TRUE(profile_from_text(to_text(sample_profile()), "p.json").boundary_memory.empty());
}

TEST(ProfileJson, KeepsRoofsThatAreTooLow) {
  Profile profile = sample_profile();
  profile.low_roofs = {"the measured float32 peak is too low: aten::mm in forward reaches 118.0 % of it"};
  EXPECT_EQ(profile_from_text(to_text(profile), "p.json").low_roofs, profile.low_roofs);
}

TEST(ProfileJson, KeepsWhatCallsCost) {
  const Profile before = sample_profile();
  const Profile after = profile_from_text(to_text(before), "p.json");
  ASSERT_EQ(after.call_costs.size(), before.call_costs.size());
  const CallCost& whole = after.call_costs[0];
  EXPECT_EQ(whole.at, before.call_costs[0].at);
  EXPECT_EQ(whole.name, "CharLm::loss");
  EXPECT_EQ(whole.observed, 0.31);
  EXPECT_EQ(whole.calls, 96);
  EXPECT_EQ(whole.processes, 6);
  EXPECT_EQ(whole.effect, 0.284);
  ASSERT_TRUE(whole.interval);
  EXPECT_EQ(whole.interval->lower, 0.262);
  EXPECT_EQ(whole.interval->upper, 0.306);
  EXPECT_EQ(whole.proof, Proof::proven);
  EXPECT_EQ(whole.absent, "");
  EXPECT_EQ(whole.observed_range->lower, before.call_costs[0].observed_range->lower);
  EXPECT_EQ(whole.observed_range->upper, before.call_costs[0].observed_range->upper);
  EXPECT_EQ(whole.most_overshoot, before.call_costs[0].most_overshoot);
  EXPECT_EQ(whole.most_repeating, before.call_costs[0].most_repeating);
  const CallCost& none = after.call_costs.back();
  EXPECT_FALSE(none.observed_range);
  EXPECT_FALSE(none.most_overshoot);
  EXPECT_FALSE(none.most_repeating);
  EXPECT_FALSE(none.effect);
  EXPECT_FALSE(none.interval);
  EXPECT_EQ(none.absent, before.call_costs.back().absent);
}

TEST(ProfileJson, OldProfilesHaveNoCallCosts) {
  Profile profile = sample_profile();
  profile.call_costs.clear();
  const std::string text = to_text(profile);
  EXPECT_EQ(text.find("call_costs"), std::string::npos);
  EXPECT_TRUE(profile_from_text(text, "p.json").call_costs.empty());
}

TEST(ProfileJson, NamesWhatIsWrongInCallCosts) {
  const std::string text = to_text(sample_profile());
  const auto read = [&](const std::string& from, const std::string& to) {
    return [=] { profile_from_text(replaced(text, from, to), "p.json"); };
  };
  expect_error(read("\"calls\": 96", "\"calls\": -96"), ErrorKind::measure, {"p.json", "call_costs[0].calls"});
  expect_error(read("0.306", "0.306, 0.4"), ErrorKind::measure,
               {"p.json", "call_costs[0].interval", "a lower and an upper bound"});
  expect_error(read("\"observed\": 0.31", "\"observe\": 0.31"), ErrorKind::measure,
               {"p.json", "call_costs[0]", "the key \"observed\" is missing"});
}

TEST(ProfileJson, NamesWhatIsWrongInParametersMemoryAndRoofs) {
  Profile profile = sample_profile();
  profile.params = {{"batch_size", "8"}};
  profile.boundary_memory = {{"forward", {.peak_allocated_bytes = 8, .allocated_bytes = 777}}};
  profile.low_roofs = {"too low"};
  const std::string text = to_text(profile);
  const auto expect_refusal = [&](const std::string& from, const std::string& to, const std::string& where) {
    expect_error([&] { profile_from_text(replaced(text, from, to), "p.json"); }, ErrorKind::measure,
                 {"p.json", where, to.starts_with("[") ? "an array" : to});
  };
  expect_refusal("\"8\"", "8", "params.batch_size");
  expect_refusal("777", "-777", "boundary_memory.forward.allocated_bytes");
  expect_refusal("777", "9007199254740993", "boundary_memory.forward.allocated_bytes");
  expect_refusal("777", "[[[777]]]", "boundary_memory.forward.allocated_bytes");
  expect_refusal("\"too low\"", "null", "low_roofs[0]");
  expect_error([&] { profile_from_text(replaced(text, "777", "NaN"), "p.json"); }, ErrorKind::measure,
               {"p.json", "not valid JSON"});
}

TEST(ProfileJson, NamesWhatIsWrong) {
  const std::string text = to_text(sample_profile());
  const auto read = [](const std::string& changed) { return [=] { profile_from_text(changed, "p.json"); }; };
  expect_error(read(replaced(text, "\"refuted\"", "\"false\"")), ErrorKind::measure,
               {"p.json", "experiments[0].proof", "proven, refuted"});
  expect_error(read(replaced(text, "\"needs a GPU\",\n      \"evidence\"", "\"later\",\n      \"evidence\"")),
               ErrorKind::measure, {"checklist[3].answer", "later"});
  expect_error(read(replaced(text, "stepgate.profile", "stepgate.profil")), ErrorKind::measure, {"schema.name"});
  Profile infinite = sample_profile();
  infinite.operators[1].efficiency = std::numeric_limits<double>::infinity();
  expect_error([&] { to_text(infinite); }, ErrorKind::measure, {"operators[1].efficiency"});
}

}  // namespace
}  // namespace stepgate
