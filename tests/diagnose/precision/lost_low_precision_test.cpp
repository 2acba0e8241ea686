#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

void show_products(SampleCase& sample, const std::string& dtype, std::int64_t flops) {
  const ObservedTensor matrix = tensor({8, 8}, "", dtype);
  ObservedWork& work = *sample.current.counts.observed;
  add_site(work, {"forward", "aten::mm", 1, {matrix, matrix}, {matrix}, "", {}, true, 23});
  work.sites.back().flops = flops;
}

void show_casts(SampleCase& sample, double before, double now) {
  MetricVerdict& casts = sample.judged("casts_per_step", Status::pass);
  casts.baseline = before;
  casts.current = now;
}

/// The scope of autocast ends before the model runs.
SampleCase without_casts() {
  SampleCase sample = pattern_sample();
  show_products(sample, "float32", 4096);
  show_casts(sample, 62, 0);
  sample.red("saved_bytes_per_step");
  return sample;
}

TEST(LostLowPrecision, IsTheFirstCauseAndTakesWhatWiderTensorsChange) {
  SampleCase sample = without_casts();
  inject(sample, "backward", {{"aten::add", 1}});
  sample.red("operators_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "low-precision-lost");
  EXPECT_EQ(causes[0].metric, "saved_bytes_per_step");
  EXPECT_THAT(
      causes[0].message,
      HasSubstr("forward: 0 casts per step in place of 62: 100.0 % of the FLOPs of products and convolutions are "
                "in float32, most of them in aten::mm of 8 x 8 float32"));
  EXPECT_THAT(causes[0].message, HasSubstr("8 x 8 float32; with it operators"));
  EXPECT_THAT(causes[0].also, Contains("operators_per_step"));
}

/// A float32 model whose head multiplied by a mask and takes a boolean index now.
TEST(LostLowPrecision, IsNotSaidOfAFloat32ModelThatLosesACast) {
  SampleCase few = pattern_sample();
  show_products(few, "float32", 4096);
  show_products(few, "float32", 4096);
  show_casts(few, 1, 0);
  few.red("bytes_touched_per_step");
  EXPECT_THAT(explain_lost_low_precision(few.input()), IsEmpty()) << "fewer casts than products";
  SampleCase many = without_casts();
  many.portable.device_calls["casts_per_step"]["forward"]["bool to float32"] = 62 * sample_steps;
  EXPECT_THAT(explain_lost_low_precision(many.input()), IsEmpty()) << "none of them of a 16-bit dtype";
}

TEST(LostLowPrecision, CountsCastsOf16BitDtypesWhereTheyAreKnown) {
  SampleCase sample = without_casts();
  auto& before = sample.portable.device_calls["casts_per_step"];
  before["forward"] = {{"float32 to bfloat16", 12 * sample_steps}, {"bool to float32", 40 * sample_steps}};
  before["backward"]["bfloat16 to float32"] = 10 * sample_steps;
  sample.current.counts.device_calls["casts_per_step"]["forward"]["bool to float32"] = 40 * sample_steps;
  const auto findings = explain_lost_low_precision(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("forward: 0 casts of 16-bit dtypes per step in place of 22"));
}

/// The callers of the product are as innocent as they were before.
TEST(LostLowPrecision, NamesOneLine) {
  SampleCase sample = without_casts();
  sample.current.counts.observed->places.back().frames.push_back({"train", "main.cpp", 99});
  const auto findings = explain_lost_low_precision(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  ASSERT_EQ(findings[0].sources.size(), 1U);
  EXPECT_EQ(findings[0].sources[0].line, 23);
}

TEST(LostLowPrecision, IsNotSaidOfWeightsInBfloat16) {
  SampleCase sample = pattern_sample();
  show_products(sample, "bfloat16", 4096);
  show_casts(sample, 62, 0);
  sample.red("saved_bytes_per_step");
  EXPECT_THAT(explain_lost_low_precision(sample.input()), IsEmpty());
}

TEST(LostLowPrecision, NeedsFarFewerCastsAndARedFigure) {
  SampleCase as_many = pattern_sample();
  show_products(as_many, "float32", 4096);
  show_casts(as_many, 62, 31);
  as_many.red("saved_bytes_per_step");
  EXPECT_THAT(explain_lost_low_precision(as_many.input()), IsEmpty());
  SampleCase never_cast = pattern_sample();
  show_products(never_cast, "float32", 4096);
  show_casts(never_cast, 0, 0);
  never_cast.red("saved_bytes_per_step");
  EXPECT_THAT(explain_lost_low_precision(never_cast.input()), IsEmpty());
  SampleCase syncs = pattern_sample();
  show_products(syncs, "float32", 4096);
  show_casts(syncs, 62, 0);
  syncs.red("host_syncs_per_step");
  EXPECT_THAT(explain_lost_low_precision(syncs.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
