#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* creations = "primitive_creations_after_warmup";

/// Four samples a step, padded to the longest of them; a bfloat16 product makes seven primitives for each new length.
SampleCase unbucketed() {
  SampleCase sample = pattern_sample();
  sample.portable.exact[creations] = {0, 0, 0, 0};
  auto& counts = sample.current.counts;
  counts.per_step[creations] = {7, 7, 0, 7};
  counts.per_step["samples_per_step"] = {4, 4, 4, 4};
  counts.per_step["padded_tokens_per_step"] = {4 * 61, 4 * 47, 4 * 61, 4 * 38};
  add_site(*counts.observed, {.boundary = "forward",
                              .name = "aten::mm",
                              .inputs = {tensor({244, 64}, "", "bfloat16"), tensor({64, 96}, "", "bfloat16")}});
  counts.observed->sites.back().flops = 1000;
  return sample;
}

TEST(ColdPrimitives, AreTheCauseWhereTheirNumberGrew) {
  SampleCase sample = unbucketed();
  sample.red(creations);
  const auto findings = only_causes(diagnose(sample.input()));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "primitives-after-warmup");
  EXPECT_EQ(findings[0].message,
            "21 primitives of oneDNN are made in 3 of 4 steps after the warm-up, for bfloat16 products too; batches "
            "have 3 lengths in 4 counted steps: 39 / 54 / 61 tokens (p5 / p50 / p95)");
  EXPECT_THAT(findings[0].advice, HasSubstr("buckets"));
}

TEST(ColdPrimitives, AreANoteWhereTheyWereBefore) {
  const auto findings = explain_cold_primitives(unbucketed().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
}

TEST(ColdPrimitives, SayNothingOfBucketsThatTheWarmUpHasMet) {
  SampleCase sample = unbucketed();
  sample.current.counts.per_step[creations] = {0, 0, 0, 0};
  EXPECT_THAT(explain_cold_primitives(sample.input()), IsEmpty());
  sample.current.counts.per_step.erase(creations);
  EXPECT_THAT(explain_cold_primitives(sample.input()), IsEmpty()) << "not counted";
}

TEST(ColdPrimitives, OfOneLengthHaveNoHistogram) {
  SampleCase sample = unbucketed();
  sample.current.counts.per_step["padded_tokens_per_step"] = {244, 244, 244, 244};
  sample.current.counts.observed.reset();
  EXPECT_THAT(explain_cold_primitives(sample.input())[0].message, Not(HasSubstr("lengths")));
  EXPECT_THAT(explain_cold_primitives(sample.input())[0].message, Not(HasSubstr("bfloat16")));
}

}  // namespace
}  // namespace stepgate
