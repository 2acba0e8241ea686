#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/record/shape_metrics.h"
#include "diagnose/diagnose.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* cold = cold_shapes_after_warmup;

/// Two more steps of four have a shape of their own.
SampleCase with_cold_steps() {
  SampleCase sample;
  sample.portable.exact[cold] = {0, 1, 0, 0};
  sample.portable.device_calls[cold]["data_wait"] = {{"int64[8, 61]", 1}};
  sample.current.counts.per_step[cold] = {0, 1, 1, 1};
  sample.current.counts.device_calls[cold]["data_wait"] = {
      {"int64[8, 61]", 1}, {"int64[8, 64]", 1}, {"int64[8, 67]", 1}};
  sample.red(cold);
  return sample;
}

TEST(NewShapes, CountsTheShapes) {
  SampleCase sample;
  sample.portable.exact["shapes_seen"] = {2, 3, 3, 3};
  sample.current.counts.per_step["shapes_seen"] = {2, 3, 4, 5};
  sample.red("shapes_seen");
  EXPECT_EQ(explain_new_shapes(sample.input())[0].message, "data_wait: the loader gives batches of 5 shapes, was 3");
}

TEST(NewShapes, NamesTheColdOnesThatTheBaselineHasNotFirst) {
  const auto findings = explain_new_shapes(with_cold_steps().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "new-shape");
  EXPECT_EQ(findings[0].metric, cold);
  EXPECT_EQ(findings[0].message,
            "data_wait: 3 of 4 counted steps have a shape that no earlier step had, was 1: (int64[8, 64]), "
            "(int64[8, 67]), (int64[8, 61])");
  EXPECT_THAT(findings[0].advice, HasSubstr("buckets"));
}

TEST(NewShapes, AreOneFaultWhateverItMoves) {
  SampleCase sample = with_cold_steps();
  sample.portable.counts_by_boundary[cold]["data_wait"] = 1;
  sample.current.counts.by_boundary[cold]["data_wait"] = 3;
  sample.portable.exact["shapes_seen"] = {2, 3, 3, 3};
  sample.current.counts.per_step["shapes_seen"] = {2, 3, 4, 5};
  sample.red("shapes_seen");
  std::vector<Finding> causes;
  for (const Finding& finding : diagnose(sample.input())) {
    if (finding.severity == Severity::cause) causes.push_back(finding);
  }
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].metric, "shapes_seen");
  EXPECT_THAT(causes[0].also, ElementsAre(cold));
}

TEST(NewShapes, SayHowManyTheyDoNotName) {
  SampleCase sample = with_cold_steps();
  auto& sizes = sample.current.counts.device_calls[cold]["data_wait"];
  sizes["int64[8, 70]"] = sizes["int64[8, 73]"] = 1;
  EXPECT_THAT(explain_new_shapes(sample.input())[0].message, HasSubstr("(int64[8, 70]) and 2 more"));
  sizes.clear();
  EXPECT_THAT(explain_new_shapes(sample.input())[0].message, Not(HasSubstr("int64"))) << "the sizes are not known";
}

TEST(NewShapes, SayNothingWhereTheShapesAreThoseOfTheBaseline) {
  SampleCase sample = with_cold_steps();
  sample.verdict.metrics.clear();
  EXPECT_THAT(explain_new_shapes(sample.input()), IsEmpty());
}

SampleCase with_lengths(const std::vector<std::int64_t>& padded) {
  SampleCase sample;
  for (auto* counts : {&sample.portable.exact, &sample.current.counts.per_step}) {
    (*counts)["samples_per_step"] = {4, 4, 4, 4};
    (*counts)["padded_tokens_per_step"] = {256, 256, 256, 256};
    (*counts)["effective_tokens_per_step"] = {192, 192, 192, 192};
  }
  sample.current.counts.per_step["padded_tokens_per_step"] = padded;
  sample.red("allocated_bytes_per_step");
  return sample;
}

TEST(ChangedLengths, StandBesideARedWithBothHistograms) {
  const auto findings = explain_changed_lengths(with_lengths({256, 384, 256, 384}).input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_EQ(findings[0].message,
            "data_wait: the counted batches have other lengths (steps x tokens a sample): 2 x 64, 2 x 96; was 4 x 64; "
            "40.0 % of the tokens are padding, was 25.0 %");
}

TEST(ChangedLengths, SayNothingOfEqualBatchesOrOfAGreen) {
  EXPECT_THAT(explain_changed_lengths(with_lengths({256, 256, 256, 256}).input()), IsEmpty());
  SampleCase green = with_lengths({256, 384, 256, 384});
  green.verdict.status = Status::pass;
  EXPECT_THAT(explain_changed_lengths(green.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
