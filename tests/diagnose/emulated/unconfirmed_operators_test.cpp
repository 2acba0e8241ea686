#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/kernels/confirmed_operators.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SampleCase emulated_sample() {
  SampleCase sample;
  sample.current.exact_fingerprint["gpu"] = "emulated H100, model 1";
  auto& own = sample.current.counts.device_calls["own_kernels_per_step"];
  own["forward"] = {{"elementwise of aten::mul", 4}, {"fill_kernel of code outside of operators", 4}};
  own["optimizer"] = {{"foreach of aten::_fused_adamw_", 4}, {"elementwise of aten::mul", 8}};
  own["backward"] = {{"batch_norm of aten::native_batch_norm_backward", 4}};
  return sample;
}

TEST(UnconfirmedOperators, AreNamedOfAnEmulatedGpu) {
  const auto findings = explain_unconfirmed_operators(emulated_sample().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "operators-unconfirmed");
  EXPECT_TRUE(is_observation(findings[0])) << "every report shows it";
  EXPECT_THAT(findings[0].message,
              HasSubstr("of 2 of 3 operators: aten::_fused_adamw_, aten::native_batch_norm_backward"));
}

TEST(UnconfirmedOperators, ARealGpuConfirmsItself) {
  SampleCase sample = emulated_sample();
  sample.current.exact_fingerprint["gpu"] = "NVIDIA H100 80GB HBM3";
  EXPECT_THAT(explain_unconfirmed_operators(sample.input()), IsEmpty());
  sample.current.exact_fingerprint.erase("gpu");
  EXPECT_THAT(explain_unconfirmed_operators(sample.input()), IsEmpty());
}

TEST(UnconfirmedOperators, NothingIsSaidWhereAllAreConfirmedOrNoneIsKnown) {
  SampleCase sample = emulated_sample();
  sample.current.counts.device_calls["own_kernels_per_step"] = {{"forward", {{"elementwise of aten::mul", 4}}}};
  EXPECT_THAT(explain_unconfirmed_operators(sample.input()), IsEmpty());
  sample.current.counts.device_calls.clear();
  EXPECT_THAT(explain_unconfirmed_operators(sample.input()), IsEmpty());
}

TEST(UnconfirmedOperators, TheTableHoldsWholeNames) {
  EXPECT_TRUE(is_confirmed_operator("aten::mul"));
  EXPECT_FALSE(is_confirmed_operator("aten::mu"));
  EXPECT_FALSE(is_confirmed_operator("mul"));
}

}  // namespace
}  // namespace stepgate
