#include "emulator/machine/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/machine/calling_operator.h"

namespace stepgate::emulator {
namespace {

TEST(Refusal, NamesTheFunctionTheReasonAndTheOperator) {
  const std::string text = refusal_text("cufftExecC2C", "_fft_c2c", "plans of more than three dimensions");
  EXPECT_THAT(text,
              testing::StartsWith("stepgate: the emulated GPU does not model cufftExecC2C: plans of more than three "
                                  "dimensions (called by the operator _fft_c2c). "));
  EXPECT_THAT(text, testing::HasSubstr("measure the case on a GPU"));
}

TEST(Refusal, WithoutAnOperatorNamesNone) {
  EXPECT_THAT(refusal_text("cuLaunchKernel", "", ""),
              testing::StartsWith("stepgate: the emulated GPU does not model cuLaunchKernel. "));
}

TEST(RefusalDeathTest, EndsTheProcessWithTheName) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(stepgate_emulator_refuse("cusolverDnXgeqrf"), testing::ExitedWithCode(refusal_status),
              "does not model cusolverDnXgeqrf");
}

TEST(CallingOperator, IsTheInnermostOfLibTorch) {
  EXPECT_EQ(operator_among({"cufftExecC2C", "at::native::_fft_c2c_cufft(at::Tensor const&, bool)",
                            "at::_ops::_fft_c2c::redispatch(c10::DispatchKeySet, at::Tensor const&)",
                            "at::_ops::fft_fft::call(at::Tensor const&)"}),
            "_fft_c2c");
  EXPECT_EQ(operator_among({"at::_ops::add_Tensor::call(at::Tensor const&)"}), "add_Tensor");
}

TEST(CallingOperator, IsNoneWhereNoOperatorCalls) {
  EXPECT_EQ(operator_among({}), "");
  EXPECT_EQ(operator_among({"main", "cudaMalloc", "at::_ops::broken", "at::_ops::add::schema_str"}), "");
  EXPECT_EQ(operator_among({"at::_ops::add::name()", "at::_ops::mul::call(int)"}), "mul");
  OperatorFinder finder;
  EXPECT_EQ(finder.calling(), "");
  EXPECT_EQ(finder.calling(), "");
}

}  // namespace
}  // namespace stepgate::emulator
