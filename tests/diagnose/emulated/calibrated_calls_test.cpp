#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"
#include "support/sample_calibration.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Each step has 20 own kernels and one call that the sample calibration knows as two.
SampleCase calibrated_sample() {
  SampleCase sample;
  const std::map<std::string, std::vector<std::int64_t>> steps = {{"own_kernels_per_step", {20, 20}},
                                                                  {"library_calls_per_step", {1, 1}}};
  sample.current.counts.per_step = sample.portable.exact = steps;
  sample.current.counts.device_calls["library_calls_per_step"]["forward"] = {
      {"aten::mm(float32[8, 64], float32[64, 4])", 2}};
  sample.portable.device_calls = sample.current.counts.device_calls;
  return sample;
}

std::vector<Finding> explained(const SampleCase& sample, const LibraryCalibration& calibration = sample_calibration()) {
  JudgedComparison input = sample.input();
  input.calibration = calibration;
  return explain_calibration(input);
}

TEST(CalibratedCalls, SaysWhatTheSumIs) {
  const auto findings = explained(calibrated_sample());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "sum-calibrated");
  EXPECT_TRUE(is_observation(findings[0])) << "every report shows it";
  EXPECT_THAT(
      findings[0].message,
      HasSubstr("calibrated by h100.json (NVIDIA H100 80GB HBM3, CUDA 12.4): 22 a step there, beside 1 memsets"));
}

TEST(CalibratedCalls, NamesAFewThatAreMissingOnEitherSide) {
  SampleCase sample = calibrated_sample();
  sample.portable.device_calls["library_calls_per_step"]["forward"] = {{"aten::a()", 1}, {"aten::b()", 1}};
  sample.current.counts.device_calls["library_calls_per_step"]["forward"] = {{"aten::c()", 1}, {"aten::d()", 1}};
  const auto findings = explained(sample);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "calibration-incomplete");
  EXPECT_THAT(findings[0].message, HasSubstr("no kernels of 4 library calls"));
  EXPECT_THAT(findings[0].message, HasSubstr("aten::a(); aten::b(); aten::c() (and 1 more)"));
  EXPECT_THAT(findings[0].message, Not(HasSubstr("aten::d()")));
  EXPECT_THAT(findings[0].advice, HasSubstr("--calibration FILE --trace TRACE"));
}

TEST(CalibratedCalls, SaysWhereASideDoesNotKnowItsCalls) {
  SampleCase sample = calibrated_sample();
  sample.portable.exact.clear();
  const auto findings = explained(sample);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "calibration-incomplete");
  EXPECT_THAT(findings[0].message, HasSubstr("not counted apart"));
}

TEST(CalibratedCalls, WithoutACalibrationThereIsNothingToSay) {
  EXPECT_THAT(explain_calibration(calibrated_sample().input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
