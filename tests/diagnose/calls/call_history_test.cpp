#include "diagnose/calls/call_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/observed_sample.h"
#include "diagnose/questions.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Stack = std::vector<SourceFrame>;

/// Calls per step of an operator at a stack, innermost frame first.
struct StackCall {
  std::string boundary;
  std::string name;
  Stack stack;
  std::int64_t calls = 1;
};

const SourceFrame in_main{"main", "main.cpp", 9};
const SourceFrame norm_line{"clip", "train.cpp", 11};
const SourceFrame scale_line{"clip", "train.cpp", 14};
const SourceFrame step_line{"Trainer::step", "train.cpp", 40};
const SourceFrame later_step_line{"Trainer::step", "train.cpp", 55};
const SourceFrame update_line{"Trainer::step", "train.cpp", 45};
const SourceFrame backward_line{"Trainer::backward", "train.cpp", 30};
const SourceFrame product_line{"Net::forward", "net.cpp", 5};
const SourceFrame forward_line{"Trainer::forward", "train.cpp", 20};
const SourceFrame log_line{"Trainer::log_step", "train.cpp", 70};

ObservedWork work_of(const std::vector<StackCall>& calls) {
  ObservedWork work{.steps = sample_steps, .frames_from = FramesFrom::lines};
  for (const StackCall& call : calls) {
    work.places.push_back({{}, call.stack});
    OperatorSite site{.boundary = call.boundary, .name = call.name, .place = work.places.size() - 1};
    site.calls = call.calls * sample_steps;
    work.sites.push_back(site);
  }
  return work;
}

/// What the base runs: a product in forward, a sum in backward, and an optimizer that clips.
std::vector<StackCall> base_calls() {
  return {{"forward", "aten::mm", {product_line, forward_line, in_main}},
          {"backward", "aten::add", {backward_line, in_main}},
          {"optimizer", "aten::norm", {norm_line, step_line, in_main}},
          {"optimizer", "aten::mul_", {scale_line, step_line, in_main}, 3},
          {"optimizer", "aten::add_", {update_line, in_main}}};
}

/// The sample with the base's calls of functions in its baseline.
SampleCase with_base(const std::vector<StackCall>& now) {
  SampleCase sample;
  const ObservedWork before = work_of(base_calls());
  sample.portable.functions_from = name_of(FramesFrom::lines);
  sample.portable.function_calls = function_calls(before);
  for (const OperatorSite& site : before.sites) {
    const std::string& function = before.places[*site.place].frames.front().function;
    sample.portable.operator_functions[site.boundary][site.name][function] += site.calls;
  }
  sample.current.counts.observed = work_of(now);
  return sample;
}

std::vector<StackCall> base_and(const std::vector<StackCall>& more) {
  std::vector<StackCall> calls = base_calls();
  calls.insert(calls.end(), more.begin(), more.end());
  return calls;
}

Stack lines_of(const SampleCase& sample, const std::string& boundary, const std::string& name) {
  return sources_of(sample.input(), boundary, name);
}

TEST(CallHistory, OfASecondCallTheNewLineOfTheCallerIsNamed) {
  const SampleCase sample =
      with_base(base_and({{"optimizer", "aten::norm", {norm_line, later_step_line, in_main}},
                          {"optimizer", "aten::mul_", {scale_line, later_step_line, in_main}, 3}}));
  EXPECT_THAT(lines_of(sample, "optimizer", "aten::norm"), ElementsAre(later_step_line));
  EXPECT_THAT(lines_of(sample, "optimizer", "aten::mul_"), ElementsAre(later_step_line));
}

TEST(CallHistory, ACallThatMovedIntoALoopIsNamed) {
  std::vector<StackCall> now = base_calls();
  now[2].calls *= 4;
  now[3].calls *= 4;
  EXPECT_THAT(lines_of(with_base(now), "optimizer", "aten::norm"), ElementsAre(step_line));
}

TEST(CallHistory, ClippingPerMicroBatchIsANewCallOfAnotherFunction) {
  const SampleCase sample = with_base(base_and({{"backward", "aten::norm", {norm_line, backward_line, in_main}, 4},
                                                {"backward", "aten::mul_", {scale_line, backward_line, in_main}, 12}}));
  EXPECT_THAT(lines_of(sample, "backward", "aten::norm"), ElementsAre(backward_line));
}

TEST(CallHistory, AnEvaluationWhileLoggingIsNamedInTheFunctionThatRanNothingBefore) {
  const SourceFrame evaluate{"evaluate", "train.cpp", 80};
  const SampleCase direct = with_base(base_and({{"logging", "aten::mm", {product_line, log_line, in_main}}}));
  EXPECT_THAT(lines_of(direct, "logging", "aten::mm"), ElementsAre(log_line));
  const SampleCase by_function =
      with_base(base_and({{"logging", "aten::mm", {product_line, evaluate, log_line, in_main}}}));
  EXPECT_THAT(lines_of(by_function, "logging", "aten::mm"), ElementsAre(log_line));
}

TEST(CallHistory, AnOperatorThatIsAddedToAFunctionIsNamedThere) {
  const SourceFrame added{"clip", "train.cpp", 12};
  const SampleCase sample = with_base(base_and({{"optimizer", "aten::norm", {added, step_line, in_main}}}));
  EXPECT_THAT(lines_of(sample, "optimizer", "aten::norm"), ElementsAre(added))
      << "no caller, and no line of the function that was there before";
}

TEST(CallHistory, WhereACallerRunsTwiceItsOwnCallsAreNotNew) {
  const SourceFrame second_step{"main", "main.cpp", 12};
  const SampleCase sample = with_base(base_and({{"optimizer", "aten::norm", {norm_line, step_line, second_step}},
                                                {"optimizer", "aten::mul_", {scale_line, step_line, second_step}, 3},
                                                {"optimizer", "aten::add_", {update_line, second_step}}}));
  EXPECT_THAT(lines_of(sample, "optimizer", "aten::norm"), ElementsAre(second_step));
  EXPECT_THAT(lines_of(sample, "optimizer", "aten::add_"), ElementsAre(second_step));
}

TEST(CallHistory, TheLoopOfTheHarnessIsNeverNamed) {
  const SourceFrame in_harness{"record_in_this_process", "harness/measure/program/record_case.cpp", 96};
  std::vector<StackCall> now = base_calls();
  for (StackCall& call : now) {
    call.stack.back() = in_harness;
    call.calls *= 2;
  }
  EXPECT_THAT(lines_of(with_base(now), "forward", "aten::mm"), ElementsAre(product_line));
}

TEST(CallHistory, AnotherNameOfTheCallerIsNoNewCall) {
  std::vector<StackCall> now = base_calls();
  const SourceFrame renamed{"Trainer::optimizer_step", "train.cpp", 40};
  now[2].stack[1] = now[3].stack[1] = renamed;
  const SourceFrame added{"clip", "train.cpp", 12};
  now.push_back({"optimizer", "aten::norm", {added, renamed, in_main}});
  EXPECT_THAT(lines_of(with_base(now), "optimizer", "aten::norm"), ElementsAre(added));
}

TEST(CallHistory, WorkThatIsGoneElsewhereMakesNoCallNew) {
  std::vector<StackCall> now = base_calls();
  now.erase(now.begin() + 2);  // the operator that ran least often in clip()
  const SourceFrame added{"Net::forward", "net.cpp", 7};
  now.push_back({"forward", "aten::mm", {added, forward_line, in_main}});
  EXPECT_THAT(lines_of(with_base(now), "forward", "aten::mm"), ElementsAre(added));
}

TEST(CallHistory, AFunctionThatIsNewItselfKeepsItsLines) {
  const SourceFrame penalty{"penalty", "net.cpp", 30};
  const SampleCase sample =
      with_base(base_and({{"forward", "aten::mul", {penalty, product_line, forward_line, in_main}}}));
  EXPECT_THAT(lines_of(sample, "forward", "aten::mul"), ElementsAre(penalty));
}

TEST(CallHistory, WithoutCallsInTheBaselineInnermostLinesAreNamed) {
  SampleCase sample = with_base(base_and({{"optimizer", "aten::norm", {norm_line, later_step_line, in_main}}}));
  sample.portable.function_calls.clear();
  EXPECT_THAT(lines_of(sample, "optimizer", "aten::norm"), ElementsAre(norm_line));
}

void add_generated_line(SampleCase& sample, const std::string& caller, std::int64_t line) {
  ObservedWork& work = *sample.current.counts.observed;
  work.places.push_back({{}, {{caller, "generated.cpp", line}}});
  work.sites.push_back({.boundary = "logging", .name = "aten::mm", .place = work.places.size() - 1, .calls = 1});
}

/// Functions that call an operator from so many lines, as generated code does, or somebody with bad intent.
SampleCase with_generated(const std::vector<std::string>& callers, std::int64_t lines) {
  SampleCase sample = with_base(base_calls());
  for (const std::string& caller : callers) {
    sample.portable.function_calls[caller] =
        std::vector<FunctionCall>(static_cast<std::size_t>(lines), {"aten::mm", 1, 1});
    for (std::int64_t line = 1; line <= lines; ++line) add_generated_line(sample, caller, line);
  }
  return sample;
}

SampleCase with_second_clip() {
  return with_base(base_and({{"optimizer", "aten::norm", {norm_line, later_step_line, in_main}},
                             {"optimizer", "aten::mul_", {scale_line, later_step_line, in_main}, 3}}));
}

TEST(CallHistory, PairsOfLinesAreBoundedForAllCallersTogether) {
  SampleCase one = with_generated({"a"}, 900);
  add_generated_line(one, "a", 901);
  EXPECT_EQ(lines_of(one, "logging", "aten::mm").front().line, 901);
  SampleCase two = with_generated({"a", "b"}, 900);
  add_generated_line(two, "b", 901);
  EXPECT_EQ(lines_of(two, "logging", "aten::mm").front().line, 1) << "no call of the second one is new";
  SampleCase many = with_second_clip();
  const SampleCase generated = with_generated({"a", "b"}, 900);
  many.portable.function_calls.insert(generated.portable.function_calls.begin(),
                                      generated.portable.function_calls.end());
  for (const char* caller : {"a", "b"}) {
    for (std::int64_t line = 1; line <= 900; ++line) add_generated_line(many, caller, line);
  }
  EXPECT_THAT(lines_of(many, "optimizer", "aten::norm"), ElementsAre(later_step_line)) << "a short one is compared";
}

TEST(CallHistory, ATableThatIsTooLongSaysNothing) {
  SampleCase sample = with_second_clip();
  sample.portable.function_calls["generated"] = std::vector<FunctionCall>(50'001, {"aten::mm", 1, 1});
  EXPECT_THAT(lines_of(sample, "optimizer", "aten::norm"), ElementsAre(norm_line)) << "the innermost line";
}

TEST(CallHistory, AFindingSaysTheLineOfTheNewCall) {
  SampleCase sample = with_base(base_and({{"optimizer", "aten::norm", {norm_line, later_step_line, in_main}},
                                          {"optimizer", "aten::mul_", {scale_line, later_step_line, in_main}, 3}}));
  sample.portable.operators["optimizer"] = {{"aten::norm", sample_steps}, {"aten::mul_", 3 * sample_steps}};
  sample.current.counts.operators["optimizer"] = {{"aten::norm", 2 * sample_steps}, {"aten::mul_", 6 * sample_steps}};
  sample.red("operators_per_step");
  EXPECT_THAT(explain_operators(sample.input()).at(0).message, HasSubstr("train.cpp:55 in Trainer::step"));
}

}  // namespace
}  // namespace stepgate
