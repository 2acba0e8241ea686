#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::IsEmpty;

SampleCase with_formulas() {
  SampleCase sample = pattern_sample();
  sample.current.counts.per_step["flops_per_step"] = {1000, 1000};
  for (OperatorSite& site : sample.current.counts.observed->sites) site.has_formula = true;
  return sample;
}

void add_unknown(SampleCase& sample, const std::string& name, std::int64_t calls, std::int64_t bytes) {
  add_site(*sample.current.counts.observed, {.boundary = "forward", .name = name, .calls = calls});
  sample.current.counts.observed->sites.back().bytes = bytes;
}

TEST(UnknownFlops, SayNothingWhereEveryOperatorHasAFormula) {
  EXPECT_THAT(note_unknown_flops(with_formulas().input()), IsEmpty());
}

TEST(UnknownFlops, AreNamedWithTheirCallsMostBytesFirst) {
  SampleCase sample = with_formulas();
  add_unknown(sample, "aten::_linalg_svd", 1, 100);
  add_unknown(sample, "my::scan", 2, 4000);
  add_unknown(sample, "my::scan", 4, 4000);  // from another line
  const auto findings = note_unknown_flops(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_EQ(findings[0].message,
            "FLOPs leave out operators without a formula: my::scan (6 a step), aten::_linalg_svd (1 a step)");
}

TEST(UnknownFlops, BeyondThreeAreCounted) {
  SampleCase sample = with_formulas();
  for (const char* name : {"my::a", "my::b", "my::c", "my::d", "my::e"}) add_unknown(sample, name, 1, 1);
  EXPECT_TRUE(note_unknown_flops(sample.input())[0].message.ends_with("my::c (1 a step) and 2 more"));
}

TEST(UnknownFlops, OfACallThatOnlyHandsOnAreNone) {
  SampleCase sample = with_formulas();
  add_unknown(sample, "my::wrapper", 1, 0);
  sample.current.counts.observed->sites.back().leaf_calls = 0;
  EXPECT_THAT(note_unknown_flops(sample.input()), IsEmpty());
}

TEST(UnknownFlops, AreNotSaidOfWhereFlopsWereNotCounted) {
  SampleCase sample = with_formulas();
  add_unknown(sample, "my::scan", 1, 1);
  sample.current.counts.per_step.erase("flops_per_step");
  EXPECT_THAT(note_unknown_flops(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
