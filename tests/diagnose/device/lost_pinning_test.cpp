#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/merge/extra_operator.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* pageable_copies_metric = "pageable_copies_per_step";

/// Both tensors of the batch are copied from pageable memory now, and one of them is made by a line of the loader.
SampleCase pageable_batch() {
  SampleCase sample = pattern_sample();
  grow(sample, pageable_copies_metric, "h2d", 2);
  ObservedWork& work = *sample.current.counts.observed;
  add_site(work, {.boundary = "data_wait",
                  .name = "aten::empty",
                  .arguments = {"[4096]", "int64", "None", "None", "True", "None"},
                  .line = 30});
  add_site(work, {.boundary = "data_wait",
                  .name = "aten::empty",
                  .arguments = {"[4096]", "int64", "None", "None", "None", "None"},
                  .line = 31});
  add_site(work, {.boundary = "forward",
                  .name = "aten::empty",
                  .arguments = {"[4096]", "int64", "None", "cuda:0", "None", "None"},
                  .line = 32});
  return sample;
}

TEST(LostPinning, IsTheCauseWithTheLineThatMakesTheTensor) {
  const auto causes = causes_of(pageable_batch());
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "pinning-lost");
  EXPECT_THAT(causes[0].message, HasSubstr("H2D copies from pageable memory: h2d +2 per step"));
  EXPECT_THAT(causes[0].message, HasSubstr("; made at language/lm.cpp:31"));
  ASSERT_EQ(causes[0].sources.size(), 1U) << "neither a page-locked tensor nor one on the device";
  EXPECT_EQ(causes[0].sources[0].line, 31);
  EXPECT_THAT(causes[0].advice, HasSubstr("pin_memory"));
}

TEST(LostPinning, HasNoLineOfATensorThatTheLoaderMakesOnTheDevice) {
  SampleCase sample = pageable_batch();
  add_site(*sample.current.counts.observed, {.boundary = "data_wait",
                                             .name = "aten::empty",
                                             .arguments = {"[4096]", "int64", "None", "cuda:0", "None", "None"},
                                             .line = 33});
  const auto findings = explain_lost_pinning(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  ASSERT_EQ(findings[0].sources.size(), 1U);
  EXPECT_EQ(findings[0].sources[0].line, 31);
}

/// clone() of a page-locked tensor is pageable.
TEST(LostPinning, HasTheLineOfANewCopyInTheLoader) {
  SampleCase sample = pageable_batch();
  add_site(*sample.current.counts.observed, {.boundary = "data_wait", .name = "aten::clone", .line = 40});
  sample.current.counts.operators["data_wait"]["aten::clone"] = sample_steps;
  const auto findings = explain_lost_pinning(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  ASSERT_EQ(findings[0].sources.size(), 1U);
  EXPECT_EQ(findings[0].sources[0].line, 40);
}

TEST(LostPinning, IsNoneWhereAPageableBatchHasOneTensorMore) {
  SampleCase sample;
  for (const char* metric : {pageable_copies_metric, "h2d_copies_per_step"}) {
    grow(sample, metric, "h2d", 3);
    sample.portable.exact[metric] = {2, 2, 2, 2};
    sample.portable.counts_by_boundary[metric]["h2d"] = 8;
  }
  EXPECT_THAT(explain_lost_pinning(sample.input()), IsEmpty());
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "work-added");
  EXPECT_EQ(causes[0].metric, "h2d_copies_per_step");
}

TEST(LostPinning, IsNoneWhereARiseDiffersByItsRoundingAlone) {
  // (5 - 3) / 3 is .6666666666666667, and (8 - 6) / 3 is .6666666666666665, as differences of two quotients.
  SampleCase sample;
  sample.portable.exact = {{pageable_copies_metric, {1, 1, 1}}, {"h2d_copies_per_step", {2, 2, 2}}};
  sample.current.counts.per_step = {{pageable_copies_metric, {2, 2, 1}}, {"h2d_copies_per_step", {3, 3, 2}}};
  sample.portable.counts_by_boundary = {{pageable_copies_metric, {{"h2d", 3}}}, {"h2d_copies_per_step", {{"h2d", 6}}}};
  sample.current.counts.by_boundary = {{pageable_copies_metric, {{"h2d", 5}}}, {"h2d_copies_per_step", {{"h2d", 8}}}};
  sample.red(pageable_copies_metric);
  EXPECT_THAT(explain_lost_pinning(sample.input()), IsEmpty());
}

TEST(LostPinning, IsOneOfABatchThatWasInPartPageableWhereMoreOfItIs) {
  SampleCase sample;
  grow(sample, pageable_copies_metric, "h2d", 2);
  sample.portable.exact[pageable_copies_metric] = {1, 1, 1, 1};
  sample.portable.counts_by_boundary[pageable_copies_metric]["h2d"] = 4;
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "pinning-lost");
  EXPECT_EQ(causes[0].message.find("with it"), std::string::npos) << causes[0].message;
}

TEST(LostPinning, HasNoLineWhereTheLoaderMakesNoTensor) {
  SampleCase sample = pageable_batch();
  sample.current.counts.observed.reset();
  const auto findings = explain_lost_pinning(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].sources, IsEmpty());
}

TEST(LostPinning, SaysNothingWhereTheBatchWasPageableBefore) {
  SampleCase sample = pattern_sample();
  sample.portable.exact[pageable_copies_metric] = sample.current.counts.per_step[pageable_copies_metric] = {2, 2, 2, 2};
  sample.red("operators_per_step");
  EXPECT_THAT(explain_lost_pinning(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
