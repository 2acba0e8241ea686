#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SampleCase keeping() {
  SampleCase sample;
  sample.current.kept_tensors = {
      {.index = 0, .tensor = "float32[32, 64]", .bytes = 8192, .first_step = 3, .times = 14}};
  return sample;
}

TEST(KeptBatchFinding, IsANoteWhereNothingGrew) {
  const auto findings = explain_kept_batch(keeping().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "batch-kept");
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].message, HasSubstr("tensor 0 of the batch (float32[32, 64]"));
  EXPECT_THAT(findings[0].message, HasSubstr("first after step 3, 14 times in all"));
  EXPECT_THAT(explain_kept_batch(SampleCase().input()), IsEmpty());
}

TEST(KeptBatchFinding, IsTheCauseOfAGrowth) {
  SampleCase sample = keeping();
  sample.red("leak_bytes_per_step");
  sample.red("resident_bytes");
  const auto findings = explain_kept_batch(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].metric, "leak_bytes_per_step");
  EXPECT_THAT(findings[0].also, ElementsAre("resident_bytes"));
}

TEST(KeptBatchFinding, SaysOfAGraphThatItsAddressesAreFixed) {
  SampleCase sample = keeping();
  sample.current.kept_tensors[0].overwritten = true;
  sample.red("leak_bytes_per_step");
  const auto findings = explain_kept_batch(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].advice, HasSubstr("fixed addresses"));
}

}  // namespace
}  // namespace stepgate
