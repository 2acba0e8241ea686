#include "diagnose/merge/merge_removed_operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "diagnose/diagnose.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Finding first_finding(const SampleCase& sample) { return diagnose(sample.input()).at(0); }

std::size_t causes_in(const SampleCase& sample) {
  const auto findings = diagnose(sample.input());
  return static_cast<std::size_t>(std::count_if(
      findings.begin(), findings.end(), [](const Finding& finding) { return finding.severity == Severity::cause; }));
}

/// The head no longer clips gradients: its losses differ from the first update on.
SampleCase without_clipping() {
  SampleCase sample;
  sample.portable.operators["optimizer"]["aten::linalg_vector_norm"] = 8;
  sample.portable.operators["optimizer"]["aten::clamp"] = 4;
  sample.portable.operators["optimizer"]["aten::detach"] = 40;
  for (NumericTrace& now : sample.current.numerics) now.loss = {4.0, 3.6, 3.2, 2.9};
  sample.red("loss");
  return sample;
}

TEST(RemovedOperators, ClippingThatIsGoneIsTheCauseOfOtherUpdates) {
  const SampleCase sample = without_clipping();
  const Finding cause = first_finding(sample);
  EXPECT_EQ(name_of(cause.code), "operator-removed");
  EXPECT_EQ(cause.severity, Severity::cause);
  EXPECT_EQ(cause.boundary, "optimizer");
  EXPECT_THAT(cause.message,
              AllOf(HasSubstr("optimizer: -2 aten::linalg_vector_norm, -1 aten::clamp, -10 aten::detach"),
                    HasSubstr("the loss after the update does not")));
  EXPECT_EQ(cause.metric, "loss");
  EXPECT_EQ(causes_in(sample), 1U);
}

TEST(RemovedOperators, OfLoggingChangeNoUpdate) {
  SampleCase sample = without_clipping();
  sample.portable.operators["optimizer"] = sample.current.counts.operators["optimizer"];
  sample.portable.operators["logging"]["aten::mean"] = 4;
  EXPECT_EQ(name_of(first_finding(sample).code), "update-changed");
}

TEST(RemovedOperators, AreANoteWhereNoLossChanged) {
  SampleCase sample = without_clipping();
  sample.current.numerics = {*sample.portable.numerics};
  sample.verdict = {};
  sample.red("allocations_per_step");
  const auto findings = diagnose(sample.input());
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == FindingCode::operator_removed && finding.severity == Severity::note;
  }));
}

TEST(RemovedOperators, OfAnotherPartOfTheStepAreAPartOfTheNumericCause) {
  SampleCase sample;
  sample.portable.operators["backward"]["aten::mm"] = 8;
  for (NumericTrace& now : sample.current.numerics) now.grad_norm[0] = 0.5;
  sample.red("grad_norm");
  const Finding cause = first_finding(sample);
  EXPECT_EQ(name_of(cause.code), "gradient-changed");
  EXPECT_THAT(cause.message, HasSubstr("with it backward: -2 aten::mm"));
  EXPECT_EQ(causes_in(sample), 1U);
}

TEST(RemovedOperators, AFirstLossLosesWhatForwardComputed) {
  SampleCase sample = without_clipping();
  sample.portable.operators["forward"]["aten::mul"] = 4;
  for (NumericTrace& now : sample.current.numerics) now.loss[0] = 4.4;
  const Finding cause = first_finding(sample);
  EXPECT_EQ(cause.boundary, "forward");
  EXPECT_THAT(cause.message, AllOf(HasSubstr("forward: -1 aten::mul"), HasSubstr("the very first loss differs"),
                                   HasSubstr("-1 aten::clamp")));
}

TEST(RemovedOperators, ViewsThatAreGoneExplainNothing) {
  SampleCase sample;
  sample.portable.operators["optimizer"]["aten::detach"] = 8;
  for (NumericTrace& now : sample.current.numerics) now.loss = {4.0, 3.6, 3.2, 2.9};
  sample.red("loss");
  EXPECT_EQ(name_of(first_finding(sample).code), "update-changed");
  EXPECT_THAT(first_finding(sample).message, HasSubstr("-2 aten::detach"));
}

TEST(RemovedOperators, BesideAddedOnesAreAPartOfTheNumericCause) {
  SampleCase sample = without_clipping();
  sample.current.boundaries.insert(5, "clip");
  sample.current.counts.operators["clip"]["aten::mul_"] = 4;
  sample.red("operators_per_step");
  EXPECT_EQ(name_of(first_finding(sample).code), "update-changed");
  EXPECT_THAT(first_finding(sample).message, HasSubstr("-1 aten::clamp"));
  EXPECT_EQ(causes_in(sample), 2U);
}

TEST(RemovedOperators, GradientsThatAddUpSayTheReasonThemselves) {
  SampleCase sample = without_clipping();
  for (NumericTrace& now : sample.current.numerics) {
    now.loss = {4.0, 3.5, 2.9, 2.2};
    now.grad_norm = {1.0, 1.7, 2.2, 2.6};
  }
  EXPECT_EQ(name_of(first_finding(sample).code), "gradients-accumulate");
  EXPECT_THAT(first_finding(sample).message, HasSubstr("-1 aten::clamp"));
}

TEST(RemovedOperators, NameTheFunctionThatCalledThem) {
  SampleCase sample = without_clipping();
  sample.portable.functions_from = name_of(FramesFrom::lines);
  sample.portable.operator_functions["optimizer"]["aten::linalg_vector_norm"]["Trainer::clip"] = 8;
  ObservedWork work;
  work.steps = 4;
  work.frames_from = FramesFrom::lines;
  sample.current.counts.observed = work;
  EXPECT_THAT(first_finding(sample).message, HasSubstr("aten::linalg_vector_norm in Trainer::clip"));
}

}  // namespace
}  // namespace stepgate
