#include "diagnose/work/operator_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/observed_sample.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(OperatorChangeFinding, SaysNothingWhereNothingChanged) {
  SampleCase sample;
  sample.red("operators_per_step");
  EXPECT_THAT(explain_operators(sample.input()), IsEmpty());
}

TEST(OperatorChangeFinding, NamesTheBoundaryAndTheOperatorPerStep) {
  SampleCase sample;
  sample.current.counts.operators["backward"]["aten::mul"] = 4;  // 4 steps counted
  sample.red("operators_per_step");
  const auto findings = explain_operators(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "operator-added");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message, "backward: +1 aten::mul per step");
}

TEST(OperatorChangeFinding, RecognisesAHostSyncAmongLargerChanges) {
  SampleCase sample;
  sample.current.counts.operators["optimizer"] = {
      {"aten::add_", 8}, {"aten::mul", 20}, {"aten::_local_scalar_dense", 4}};
  sample.red("operators_per_step");
  const auto findings = explain_operators(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "host-sync-added");
  EXPECT_EQ(findings[0].message, "optimizer: +1 aten::_local_scalar_dense, +5 aten::mul per step");
  EXPECT_THAT(findings[0].advice, HasSubstr(".item()"));
}

TEST(OperatorChangeFinding, RecognisesACopy) {
  SampleCase sample;
  auto& forward = sample.current.counts.operators["forward"];
  forward["aten::contiguous"] = forward["aten::clone"] = forward["aten::copy_"] = forward["aten::empty_like"] = 4;
  sample.red("operators_per_step");
  const auto findings = explain_operators(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "copy-added");
  EXPECT_THAT(findings[0].message, HasSubstr("+1 aten::empty_like per step"));
}

TEST(OperatorChangeFinding, CopiesThatOtherWorkBringsAlongAreNotTheChange) {
  SampleCase sample;
  auto& forward = sample.current.counts.operators["forward"];
  forward["aten::clone"] = forward["aten::copy_"] = forward["aten::empty_like"] = forward["aten::view"] = 4;
  sample.red("operators_per_step");
  EXPECT_EQ(name_of(explain_operators(sample.input()).at(0).code), "copy-added");
  forward["aten::bernoulli_"] = 4;
  EXPECT_EQ(name_of(explain_operators(sample.input()).at(0).code), "operator-added");
}

TEST(OperatorChangeFinding, RecognisesALoopInPlaceOfABatch) {
  SampleCase sample;
  sample.current.counts.operators["forward"]["aten::mm"] = 8 * 10;  // 2 per step became 20
  sample.red("operators_per_step");
  EXPECT_EQ(name_of(explain_operators(sample.input())[0].code), "loop-instead-of-batch");
  sample.current.counts.operators["forward"]["aten::mm"] = 8 * 9;
  EXPECT_EQ(name_of(explain_operators(sample.input())[0].code), "operator-added");
}

/// Twelve blocks call what one block calls twelve times.
TEST(OperatorChangeFinding, ACallOfEachLayerIsNoLoop) {
  const ObservedCall softmax{"forward", "aten::softmax", {"Block::forward", "block.cpp", 7}};
  const ObservedCall linear{"forward", "aten::linear", {"Block::forward", "block.cpp", 5}};
  const auto code_with = [&](std::int64_t calls) {
    SampleCase sample;
    sample.current.counts.operators["forward"]["aten::softmax"] = calls * sample_steps;
    observe(sample, softmax, calls);
    observe(sample, linear, 12);
    remember(sample, linear, 12);
    sample.red("operators_per_step");
    return std::string(name_of(explain_operators(sample.input()).at(0).code));
  };
  EXPECT_EQ(code_with(24), "operator-added");
  EXPECT_EQ(code_with(120), "loop-instead-of-batch");
}

TEST(OperatorChangeFinding, ManyCopiesAndViewsAreNoLoop) {
  SampleCase sample;
  sample.current.counts.operators["forward"]["aten::clone"] = 4 * 20;  // one for each parameter
  sample.current.counts.operators["forward"]["aten::detach"] = 4 * 20;
  sample.red("operators_per_step");
  const auto copies = explain_operators(sample.input());
  EXPECT_EQ(name_of(copies[0].code), "copy-added");
  EXPECT_THAT(copies[0].message, HasSubstr("forward: +20 aten::clone, +20 aten::detach"));
  sample.current.counts.operators["forward"]["aten::add"] = 4 * 20;
  EXPECT_EQ(name_of(explain_operators(sample.input())[0].code), "loop-instead-of-batch");
  sample.current.counts.operators["forward"] = {{"aten::mm", 8}, {"aten::expand", 4 * 20}, {"aten::bmm", 4}};
  const auto views = explain_operators(sample.input());
  EXPECT_EQ(name_of(views[0].code), "operator-added");
  EXPECT_THAT(views[0].message, HasSubstr("forward: +1 aten::bmm, +20 aten::expand"));
}

TEST(OperatorChangeFinding, ASwapNamesBothSidesAndARemovalIsANote) {
  SampleCase sample;
  sample.current.counts.operators["forward"] = {{"aten::addmm", 8}, {"aten::view", 4}};
  sample.current.counts.operators["optimizer"]["aten::add_"] = 4;
  sample.red("operators_per_step");
  const auto findings = explain_operators(sample.input());
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].message, "forward: +2 aten::addmm per step; instead of 2 aten::mm");
  EXPECT_EQ(name_of(findings[1].code), "operator-removed");
  EXPECT_EQ(findings[1].severity, Severity::note);
}

TEST(OperatorChangeFinding, IsNoCauseWhereNothingIsRed) {
  SampleCase sample;
  sample.current.counts.operators["forward"]["aten::mul"] = 4;
  EXPECT_EQ(explain_operators(sample.input())[0].severity, Severity::note);
}

TEST(OperatorChange, NamesNewOperatorsBeforeThePlumbingThatTheyBring) {
  SampleCase sample;
  sample.red("operators_per_step");
  auto& forward = sample.current.counts.operators["forward"];
  forward = {{"aten::mm", 12},       {"aten::view", 4}, {"aten::empty_strided", 16},
             {"aten::_to_copy", 12}, {"aten::flip", 4}, {"aten::where", 4}};
  EXPECT_THAT(explain_operators(sample.input())[0].message,
              HasSubstr("forward: +1 aten::flip, +1 aten::where, +1 aten::mm, +4 aten::empty_strided"));
}

TEST(OperatorChange, NamesWhatUsesAViewBeforeTheView) {
  SampleCase sample;
  sample.red("operators_per_step");
  auto& forward = sample.current.counts.operators["forward"];
  for (const char* view : {"aten::chunk", "aten::movedim", "aten::split", "aten::unfold"}) {
    forward = {{"aten::mm", 12}, {"aten::view", 4}, {view, 16}};
    EXPECT_THAT(explain_operators(sample.input())[0].message, HasSubstr("forward: +1 aten::mm, +4 aten::")) << view;
  }
}

}  // namespace
}  // namespace stepgate
