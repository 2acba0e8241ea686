#include "diagnose/trace/recorded_call_name.h"

#include <gtest/gtest.h>

#include "core/kernels/launch_name.h"

namespace stepgate {
namespace {

/// As PyTorch 2.6 wrote it on an H100.
RecordedOperands recorded_convolution() {
  return {.types = {"c10::BFloat16", "c10::BFloat16", "", "ScalarList", "Scalar", "Scalar"},
          .sizes = {{4, 3, 224, 224}, {768, 3, 16, 16}, {}, {}, {}, {}},
          .strides = {{150528, 50176, 224, 1}, {768, 1, 48, 3}, {}, {}, {}, {}},
          .values = {"", "", "", "[16, 16]", "False", "1"}};
}

TEST(RecordedCallName, IsThatOfARecord) {
  const std::string record =
      "aten::conv(bfloat16[4, 3, 224, 224], bfloat16[768, 3, 16, 16] strides [768, 1, 48, 3], [16, 16], False, 1, "
      "None)";
  EXPECT_EQ(recorded_call_name("aten::conv", recorded_convolution()), calibration_key(record));
}

TEST(RecordedCallName, NumbersAreWrittenAsInARecord) {
  RecordedOperands operands{.types = {"float", "Scalar", "Scalar", "ScalarList", "Scalar"},
                            .sizes = {{2}, {}, {}, {}, {}},
                            .strides = {{1}, {}, {}, {}, {}},
                            .values = {"", "0.10000000000000001", "1.", "[1., 0.5]", "-100"}};
  EXPECT_EQ(recorded_call_name("aten::f", operands), "aten::f(float32[2], 0.1, 1, [1, 0.5], -100)");
  operands.values = {"", "1.0000000000000001e-05", "0.", "[]", "9007199254740993"};
  EXPECT_EQ(recorded_call_name("aten::f", operands), "aten::f(float32[2], 1e-05, 0, [], 9007199254740993)");
}

TEST(RecordedCallName, HasTheDtypesOfARecord) {
  for (const auto& [in_trace, in_record] : std::vector<std::pair<std::string, std::string>>{
           {"double", "float64"}, {"c10::Half", "float16"}, {"long int", "int64"}, {"unsigned char", "uint8"}}) {
    const RecordedOperands operands{.types = {in_trace}, .sizes = {{}}, .strides = {{}}, .values = {""}};
    EXPECT_EQ(recorded_call_name("aten::f", operands), "aten::f(" + in_record + "[])");
  }
}

TEST(RecordedCallName, IsAbsentWhereTheTraceDoesNotSayAll) {
  RecordedOperands operands = recorded_convolution();
  operands.strides.clear();
  EXPECT_EQ(recorded_call_name("aten::conv", operands), std::nullopt) << "recorded without strides";
  operands = recorded_convolution();
  operands.values.clear();
  EXPECT_EQ(recorded_call_name("aten::conv", operands), std::nullopt) << "recorded without arguments";
  operands = recorded_convolution();
  operands.types[0] = "TensorList";
  EXPECT_EQ(recorded_call_name("aten::conv", operands), std::nullopt) << "dtypes of lists are not recorded";
  operands = recorded_convolution();
  operands.strides[0] = {1};
  EXPECT_EQ(recorded_call_name("aten::conv", operands), std::nullopt) << "damaged";
  operands = recorded_convolution();
  operands.values[5] = "";
  EXPECT_EQ(recorded_call_name("aten::conv", operands), std::nullopt) << "a number without its value";
}

}  // namespace
}  // namespace stepgate
