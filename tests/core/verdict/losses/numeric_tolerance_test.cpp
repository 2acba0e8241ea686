#include "core/verdict/losses/numeric_tolerance.h"

#include <gtest/gtest.h>

#include <limits>

namespace stepgate {
namespace {

TEST(NumericTolerance, FollowsThePolicyInFloat32) {
  Policy policy;
  policy.loss_rtol = 2e-4;
  policy.loss_atol = 3e-6;
  policy.grad_norm_rtol = 5e-3;
  for (const char* dtype : {"float32", ""}) {
    EXPECT_EQ(numeric_tolerance(policy, "loss", {Scope::portable, dtype}).rtol, 2e-4);
    EXPECT_EQ(numeric_tolerance(policy, "loss[critic]", {Scope::portable, dtype}).atol, 3e-6);
    EXPECT_EQ(numeric_tolerance(policy, "grad_norm", {Scope::portable, dtype}).rtol, 5e-3);
    EXPECT_EQ(numeric_tolerance(policy, "grad_norm", {Scope::portable, dtype}).atol, 0);
  }
}

TEST(NumericTolerance, LowPrecisionHasItsOwnInAPortableBaseline) {
  Policy policy;
  for (const char* dtype : {"bfloat16", "float16"}) {
    for (const char* metric : {"loss", "grad_norm", "loss[critic]"}) {
      EXPECT_EQ(numeric_tolerance(policy, metric, {Scope::portable, dtype}).rtol, policy.low_precision_rtol) << metric;
      EXPECT_EQ(numeric_tolerance(policy, metric, {Scope::portable, dtype}).atol, 0) << metric;
    }
  }
}

TEST(NumericTolerance, LowPrecisionOnAGpuIsAsFloat32) {
  const Policy policy;
  EXPECT_EQ(numeric_tolerance(policy, "loss", {Scope::device, "bfloat16"}).rtol, policy.loss_rtol);
  EXPECT_EQ(numeric_tolerance(policy, "grad_norm", {Scope::device, "bfloat16"}).rtol, policy.grad_norm_rtol);
}

/// Differences of language/char_lm_bf16/tiny in its six steps: the same program on two CPUs, both pinned to AVX2,
/// and beside it float32 in place of bfloat16.
TEST(NumericTolerance, TellsAnotherCpuFromAnotherPrecision) {
  constexpr double largest_of_another_cpu = 8.8e-5;
  constexpr double largest_of_another_precision = 1.7e-3;
  const double limit = numeric_tolerance({}, "grad_norm", {Scope::portable, "bfloat16"}).rtol;
  EXPECT_LT(3 * largest_of_another_cpu, limit);
  EXPECT_LT(3 * limit, largest_of_another_precision);
}

TEST(NumericTolerance, AScaleIsEqualOrItChanged) {
  Policy policy;
  policy.loss_rtol = policy.loss_atol = policy.low_precision_rtol = 1;
  for (const char* dtype : {"float32", "float16"}) {
    EXPECT_EQ(numeric_tolerance(policy, "loss_scale", {Scope::portable, dtype}).rtol, 0);
    EXPECT_EQ(numeric_tolerance(policy, "loss_scale", {Scope::device, dtype}).atol, 0);
  }
}

TEST(NumericTolerance, AnUnknownDtypeIsNone) {
  EXPECT_EQ(dtype_of({{"dtype", "bfloat16"}}), "bfloat16");
  EXPECT_EQ(dtype_of({}), "");
}

TEST(AgreeUpToRounding, ATenthOfTheToleranceInEachComparedStep) {
  const NumericTolerance tolerance{.rtol = 1e-4, .atol = 0};
  EXPECT_TRUE(agree_up_to_rounding({4, -2}, {4.000039, -2.000019}, tolerance, 21));
  EXPECT_FALSE(agree_up_to_rounding({4, 2}, {4, 2.000021}, tolerance, 21));
  EXPECT_TRUE(agree_up_to_rounding({4, 2}, {4, 3}, tolerance, 1)) << "step 1 is not compared";
  EXPECT_FALSE(agree_up_to_rounding({4, 2}, {4}, tolerance, 21));
  EXPECT_TRUE(agree_up_to_rounding({}, {}, tolerance, 21));
}

TEST(AgreeUpToRounding, WhatIsNotFiniteAgreesWithNothingElse) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(agree_up_to_rounding({nan}, {nan}, {.rtol = 1, .atol = 1}, 21));
  EXPECT_FALSE(agree_up_to_rounding({4}, {nan}, {.rtol = 1, .atol = 1}, 21));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(agree_up_to_rounding({infinity}, {infinity}, {.rtol = 1, .atol = 1}, 21));
}

TEST(AgreeUpToRounding, AScaleHasNone) {
  EXPECT_TRUE(agree_up_to_rounding({65536}, {65536}, numeric_tolerance({}, "loss_scale", {Scope::device}), 21));
  EXPECT_FALSE(agree_up_to_rounding({65536}, {65536.001}, numeric_tolerance({}, "loss_scale", {Scope::device}), 21));
}

}  // namespace
}  // namespace stepgate
