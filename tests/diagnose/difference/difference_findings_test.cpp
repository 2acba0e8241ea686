#include "diagnose/difference/difference_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/difference/difference_text.h"
#include "support/sample_difference.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(DifferenceFindings, NameTheLinesThatCostMostFirst) {
  const std::vector<Finding> findings = difference_findings(sample_difference(), "step_time_ns");
  ASSERT_THAT(findings, SizeIs(4));
  EXPECT_EQ(name_of(findings[0].code), "time-moved");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message,
              HasSubstr("forward: aten::_log_softmax at language/char_lm.cpp:23 in CharLm::loss takes +102"));
  EXPECT_THAT(findings[0].message, HasSubstr("(1.1 % of the step)"));
  EXPECT_THAT(findings[0].advice, HasSubstr("input 0: float32 -> float64"));
  EXPECT_THAT(findings[0].sources, testing::ElementsAre(SourceFrame{"CharLm::loss", "language/char_lm.cpp", 23}));
  EXPECT_EQ(name_of(findings[3].code), "time-explained");
  EXPECT_EQ(findings[3].severity, Severity::note);
  EXPECT_THAT(findings[3].message, AllOf(HasSubstr("8 pairs"), HasSubstr("(93 %)")));
}

TEST(DifferenceFindings, RowsThatSaveTimeOrCostNextToNothingAreNoCauses) {
  StepDifference difference = sample_difference();
  difference.rows[0].difference_ns = 0.0019 * difference.step_ns;
  difference.rows[1].difference_ns *= -1;
  EXPECT_THAT(difference_findings(difference, "step_time_ns"), SizeIs(2));
}

TEST(DifferenceFindings, NothingThatDiffersIsANote) {
  StepDifference difference = sample_difference();
  difference.rows.clear();
  const std::vector<Finding> findings = difference_findings(difference, "step_time_ns");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].advice, IsEmpty());
}

TEST(DifferenceText, SaysWhetherTheWorkIsTheSame) {
  DifferenceRow row = sample_difference().rows[2];
  EXPECT_THAT(meaning_of(row), HasSubstr("the same work takes longer"));
  row.change = WorkChange::less;
  row.head.calls = 3;
  EXPECT_EQ(meaning_of(row), "less work that takes longer, calls 4 -> 3");
  row.difference_ns = -1;
  EXPECT_EQ(meaning_of(row), "less work, calls 4 -> 3");
}

TEST(DifferenceText, GivesNoShareWhereTheSumsPointApart) {
  StepDifference difference = sample_difference();
  EXPECT_THAT(attribution_text(difference), HasSubstr("(93 %); the rest, +14"));
  difference.total_ns = -5000;
  EXPECT_THAT(attribution_text(difference), testing::Not(HasSubstr("93")));
  difference.alike.differs = true;
  EXPECT_THAT(attribution_text(difference), HasSubstr("all operators alike take +3.0 %"));
}

}  // namespace
}  // namespace stepgate
