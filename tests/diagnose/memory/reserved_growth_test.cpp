#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SampleCase growing(std::int64_t bytes) {
  SampleCase sample;
  sample.current.bytes["reserved_growth_bytes_per_step"] = {bytes};
  return sample;
}

TEST(ReservedGrowth, IsTheAllocatorsAndNoLeak) {
  SampleCase sample = growing(2097152);
  sample.current.ledger = MemoryLedger{.peak_bytes = 1, .boundary = "", .bytes = {}, .fragmentation_bytes = 1048576};
  const auto findings = explain_reserved_growth(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "reserved-grew");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("2 097 152 B more with each step"));
  EXPECT_THAT(findings[0].message, HasSubstr("1.00 MiB were reserved beyond what was allocated"));
  EXPECT_THAT(findings[0].advice, HasSubstr("expandable_segments"));
}

TEST(ReservedGrowth, IsNotReportedWhereMemoryLeaks) {
  SampleCase sample = growing(2097152);
  sample.current.bytes["leak_bytes_per_step"] = {512};
  EXPECT_THAT(explain_reserved_growth(sample.input()), IsEmpty());
}

TEST(ReservedGrowth, IsNotReportedWhereNothingGrows) {
  EXPECT_THAT(explain_reserved_growth(growing(0).input()), IsEmpty());
  EXPECT_THAT(explain_reserved_growth(SampleCase().input()), IsEmpty());
}

TEST(ReservedGrowth, IsANoteWhereTheBaselineGrewAsMuchAndACauseWhereItIsRed) {
  SampleCase sample = growing(100);
  sample.portable.bytes["reserved_growth_bytes_per_step"] = {100};
  EXPECT_EQ(explain_reserved_growth(sample.input())[0].severity, Severity::note);
  sample.red("reserved_growth_bytes_per_step");
  EXPECT_EQ(explain_reserved_growth(sample.input())[0].severity, Severity::cause);
}

}  // namespace
}  // namespace stepgate
