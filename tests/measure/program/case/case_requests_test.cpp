#include "measure/program/case/case_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

using Params = std::map<std::string, std::string>;

class AnsweringStep final : public ScriptedStep, public StepAnswers {
 public:
  using ScriptedStep::ScriptedStep;
  StepAbilities abilities() override {
    StepAbilities abilities = ScriptedStep::abilities();
    abilities.answers = this;
    return abilities;
  }
  std::int64_t graph_answers() const override { return 0; }
  std::optional<std::vector<TrainingModule>> training_modules() const override { return std::nullopt; }
  const TokenClock& tokens() const override { return clock_; }

 private:
  TokenClock clock_;
};

struct Asked {
  Params params = {};
  std::int64_t ranks = 1;
  bool answers = true;
};

/// What the pass complains about; "" where it runs.
std::string request_complaint(Pass pass, const Asked& asked, RunRecord found = {}) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep trains(backend, {test::host_step(90)});
  AnsweringStep answers(backend, {test::host_step(90)});
  StepActions& actions = asked.answers ? static_cast<StepActions&>(answers) : trains;
  TimedRun run{actions, backend, {.window = 2, .requests = 4, .open_requests = 4}, {7}};
  try {
    run_request_pass(pass, run, {asked.params, 1, asked.ranks}, found);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  return "";
}

/// What is said after the warm-up of a case with these steps; "" where its passes can run.
std::string early_complaint(const StepCounts& steps, const Asked& asked) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep trains(backend, {test::host_step(90)});
  AnsweringStep answers(backend, {test::host_step(90)});
  StepActions& actions = asked.answers ? static_cast<StepActions&>(answers) : trains;
  const TimedRun run{actions, backend, steps, {7}};
  try {
    require_asked_requests(run, {asked.params, 1, asked.ranks});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CaseRequests, AreRefusedBeforeAnythingIsTimed) {
  const std::map<std::string, std::string> rate = {{"request_rate_per_s", "50"}};
  EXPECT_EQ(early_complaint({}, {.answers = false}), "");
  EXPECT_EQ(early_complaint({.requests = 4, .open_requests = 4}, {.params = rate}), "");
  EXPECT_THAT(early_complaint({.requests = 4}, {.answers = false}), HasSubstr("the case trains, and requests asks"));
  EXPECT_THAT(early_complaint({.open_requests = 4}, {.params = rate, .answers = false}),
              HasSubstr("the case trains, and open_requests asks"));
  EXPECT_THAT(early_complaint({.requests = 4, .open_requests = 4}, {}), HasSubstr("without the parameter"));
  EXPECT_THAT(early_complaint({.requests = 4, .open_requests = 90'000}, {.params = {{"request_rate_per_s", "1"}}}),
              HasSubstr("more than a day"));
  EXPECT_THAT(early_complaint({.open_requests = 4}, {.params = rate}), HasSubstr("open_requests without requests"));
}

TEST(CaseRequests, RunWhereTheCaseAnswersThem) { EXPECT_EQ(request_complaint(Pass::requests, {}), ""); }

TEST(CaseRequests, AreRefusedToACaseThatTrains) {
  EXPECT_THAT(request_complaint(Pass::requests, {.answers = false}),
              HasSubstr("the case trains, and requests asks it"));
  EXPECT_THAT(request_complaint(Pass::open_requests, {.answers = false}), HasSubstr("open_requests"));
}

TEST(CaseRequests, AreThoseOfOneProcess) {
  EXPECT_THAT(request_complaint(Pass::requests, {.ranks = 2}), HasSubstr("in 2 processes together"));
}

TEST(CaseRequests, AnOpenLoopNeedsARate) {
  EXPECT_THAT(request_complaint(Pass::open_requests, {}), HasSubstr("without the parameter request_rate_per_s"));
  for (const char* wrong : {"0", "-1", "fast", "nan", "inf", "1e308", "1e-300", "0.0009"}) {
    EXPECT_THAT(request_complaint(Pass::open_requests, {.params = {{"request_rate_per_s", wrong}}}),
                HasSubstr("is no rate"))
        << wrong;
  }
}

TEST(CaseRequests, AnOpenLoopNeedsTheCapacityOfTheClosedOne) {
  EXPECT_THAT(request_complaint(Pass::open_requests, {.params = {{"request_rate_per_s", "100"}}}),
              HasSubstr("open_requests without requests"));
}

RunRecord record_with(const StepCounts& steps) {
  RunRecord record;
  record.group = Group::timed;
  record.steps = steps;
  record.inference = InferenceFacts{};
  return record;
}

TEST(AbsentRequests, NameWhatToAskFor) {
  const auto absent = absent_requests(record_with({}));
  EXPECT_THAT(absent.at("latency_p99_ns"), HasSubstr("set StepCounts::requests"));
  EXPECT_THAT(absent.at("first_token_ns"), HasSubstr("set StepCounts::requests"));
  EXPECT_THAT(absent.at("open_latency_mean_ns"), HasSubstr("request_rate_per_s"));
}

TEST(AbsentRequests, SayThatNoTokensWereMarked) {
  RunRecord record = record_with({.requests = 2, .open_requests = 2});
  record.requests = ClosedLoop{.clock = "virtual", .wall_ns = 2, .latency_ns = {1, 1}};
  const auto absent = absent_requests(record);
  EXPECT_THAT(absent.at("next_token_ns"), HasSubstr("call token_done()"));
  EXPECT_THAT(absent, Not(Contains(Key("latency_mean_ns"))));
  EXPECT_THAT(absent, Not(Contains(Key("open_latency_mean_ns"))));
  record.requests->tokens.first_ns = {1};
  EXPECT_THAT(absent_requests(record), IsEmpty());
}

TEST(AbsentRequests, SayNothingOfACaseThatTrainsAndOfTheExactHalf) {
  RunRecord trains = record_with({});
  trains.inference.reset();
  EXPECT_THAT(absent_requests(trains), IsEmpty());
  RunRecord exact = record_with({});
  exact.group = Group::exact;
  EXPECT_THAT(absent_requests(exact), IsEmpty());
}

TEST(InferenceFacts, AreThoseOfThePassThatSawMost) {
  RunRecord found;
  keep_inference(std::nullopt, found);
  EXPECT_FALSE(found.inference);
  const InferenceFacts clean{.answers = 4};
  const InferenceFacts holding{.answers = 3, .graph_answers = 3};
  const InferenceFacts training{
      .answers = 3, .graph_answers = 3, .training_modules = std::vector{TrainingModule{"drop", "Dropout"}}};
  for (const InferenceFacts& one : {clean, holding, training, holding, clean}) keep_inference(one, found);
  EXPECT_EQ(found.inference, training);
}

}  // namespace
}  // namespace stepgate
