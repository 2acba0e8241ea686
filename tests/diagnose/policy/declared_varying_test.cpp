#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

JudgedComparison declared(SampleCase& sample, const std::vector<std::string>& metrics) {
  for (const std::string& metric : metrics) sample.judged(metric, Status::not_judged).reason = ReasonCode::varying;
  JudgedComparison input = sample.input();
  input.policy.varying = {{"suite/*", metrics, "two threads add"}};
  return input;
}

TEST(DeclaredVarying, IsNamedInEachReport) {
  SampleCase sample;
  sample.current.numerics[1].loss[0] = 9;
  sample.current.numerics[1].grad_norm[0] = 9;
  const auto findings = explain_declared_varying(declared(sample, {"loss", "grad_norm"}));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(name_of(findings[0].code), "varying");
  EXPECT_EQ(findings[0].severity, Severity::warning) << "shown without --verbose";
  EXPECT_THAT(findings[0].message, AllOf(HasSubstr("loss, gradient norm: declared varying"),
                                         HasSubstr("two threads add"), HasSubstr("judged in A/B only")));
  EXPECT_THAT(findings[0].also, ElementsAre("grad_norm"));
}

TEST(DeclaredVarying, SaysWhatDoesNotVary) {
  SampleCase sample;
  sample.current.numerics[1].grad_norm[0] = 9;
  const auto findings = explain_declared_varying(declared(sample, {"loss", "grad_norm"}));
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(name_of(findings[1].code), "does-not-vary");
  EXPECT_EQ(findings[1].severity, Severity::warning) << "shown without --verbose";
  EXPECT_EQ(findings[1].metric, "loss");
  EXPECT_THAT(findings[1].message, HasSubstr("loss: declared varying by the policy, but equal in all processes"));
}

TEST(DeclaredVarying, NamesALossThatTheCaseDoesNotReport) {
  SampleCase sample;
  for (NumericTrace& trace : sample.current.numerics) trace.further_losses["discriminator"] = {1, 1, 1, 1};
  JudgedComparison input = sample.input();
  input.policy.varying = {{"suite/*", {"loss[critic]", "loss[*]", "loss"}, "threads"},
                          {"other/*", {"loss[none]"}, "threads"}};
  const auto findings = explain_declared_varying(input);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(name_of(findings[0].code), "varying-unmeasured");
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("\"loss[critic]\" is declared varying by the policy, but the case reports "
                                             "no such loss"));
  EXPECT_THAT(findings[0].advice, HasSubstr("loss, loss[discriminator], grad_norm"));
}

TEST(DeclaredVarying, OneProcessShowsNoConstancy) {
  SampleCase sample;
  sample.current.numerics.pop_back();
  EXPECT_THAT(explain_declared_varying(declared(sample, {"loss"})), SizeIs(1));
}

TEST(DeclaredVarying, IsSilentWithoutAnEntry) {
  SampleCase sample;
  EXPECT_THAT(explain_declared_varying(sample.input()), IsEmpty());
}

TEST(DeclaredVarying, NamesTheOperatorThatLibTorchCannotRunDeterministically) {
  SampleCase sample;
  sample.current.numerics[1].nondeterministic_operators = {"put_"};
  JudgedComparison input = declared(sample, {"loss"});
  input.policy.varying.clear();
  const auto findings = explain_declared_varying(input);
  ASSERT_THAT(findings, SizeIs(1)) << "nobody declared it, so nobody has to take it back";
  EXPECT_EQ(name_of(findings[0].code), "varying");
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("no deterministic implementation of put_"), HasSubstr("judged in A/B only")));
}

TEST(DeclaredVarying, InAbItSaysThatTheRangesOverlap) {
  SampleCase sample;
  JudgedComparison input = declared(sample, {"loss"});
  input.reference = PairedReference{.interleaved = sample.current};
  EXPECT_THAT(explain_declared_varying(input)[0].message, HasSubstr("overlap: no change shown, none excluded"));
}

}  // namespace
}  // namespace stepgate
