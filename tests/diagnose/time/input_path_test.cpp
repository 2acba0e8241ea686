#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(InputPath, NamesASlowerLoaderAndWhetherTheDeviceStarves) {
  SampleCase sample;
  sample.timed("loader_samples_per_s", Status::regressed, 3000, 2000);
  sample.timed("supply_ratio", Status::pass, 1.5, 1.0);
  const auto findings = explain_input_path(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "loader-slower");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message,
            "data_wait: the loader alone gives 2000 samples/s, was 3000 (-33.3 %); it supplies 1.00 times what compute "
            "takes (was 1.50): the device starves");
}

TEST(InputPath, ALoaderWithReserveDoesNotStarveTheDevice) {
  SampleCase sample;
  sample.timed("loader_samples_per_s", Status::regressed, 30000, 20000);
  sample.timed("supply_ratio", Status::pass, 15, 10);
  EXPECT_THAT(explain_input_path(sample.input())[0].message, Not(HasSubstr("starves")));
}

TEST(InputPath, EffectiveTokensTellWherePaddedTokensFlatter) {
  SampleCase sample;
  sample.timed("effective_tokens_per_s", Status::regressed, 1000, 800);
  sample.timed("padded_tokens_per_s", Status::pass, 1100, 1200);
  sample.timed("padding_ratio", Status::pass, 0.09, 0.33);
  const auto findings = explain_input_path(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "padding-grew");
  EXPECT_EQ(findings[0].message,
            "data_wait: 33.0 % of the tokens are padding, was 9.0 %; padded tokens/s look +9.1 % better, effective "
            "tokens/s are -20.0 %");
}

TEST(InputPath, ALittleMorePaddingIsNotWhyASlowerStepGivesFewerTokens) {
  SampleCase sample;
  sample.timed("effective_tokens_per_s", Status::regressed, 1000, 956);
  sample.timed("padded_tokens_per_s", Status::pass, 1100, 1052);
  sample.timed("padding_ratio", Status::pass, 0.086, 0.087);
  EXPECT_THAT(explain_input_path(sample.input()), IsEmpty());
}

TEST(InputPath, FewerTokensWithoutMorePaddingAreNotPadding) {
  SampleCase sample;
  sample.timed("effective_tokens_per_s", Status::regressed, 1000, 800);
  sample.timed("padded_tokens_per_s", Status::pass, 1100, 880);
  sample.timed("padding_ratio", Status::pass, 0.09, 0.09);
  EXPECT_THAT(explain_input_path(sample.input()), IsEmpty());
}

TEST(InputPath, NamesCopiesThatNoLongerRunBesideCompute) {
  SampleCase sample;
  sample.timed("step_time_ns", Status::regressed, 1e6, 1.2e6);
  sample.timed("h2d_overlap_ratio", Status::pass, 0.95, 0.1);
  EXPECT_EQ(explain_input_path(sample.input())[0].message, "h2d: 10 % of the copying runs beside compute, was 95 %");
  SampleCase scatter;
  scatter.timed("step_time_ns", Status::regressed, 1e6, 1.2e6);
  scatter.timed("h2d_overlap_ratio", Status::pass, 0.95, 0.9);
  EXPECT_THAT(explain_input_path(scatter.input()), IsEmpty());
}

TEST(InputPath, TellsOfStepsThatWereLeftOutEvenOnGreen) {
  SampleCase sample;
  sample.current.e2e_steps = 300;
  sample.current.cold_steps = 5;
  const auto findings = explain_input_path(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "cold-shape");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("5 of 300 timed steps"));
}

TEST(InputPath, SaysNothingOnGreen) { EXPECT_THAT(explain_input_path(SampleCase().input()), IsEmpty()); }

}  // namespace
}  // namespace stepgate
