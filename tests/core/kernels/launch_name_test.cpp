#include "core/kernels/launch_name.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(LaunchName, HasTheOperatorThatLaunched) {
  EXPECT_EQ(own_kernel_name("elementwise", "aten::mul"), "elementwise of aten::mul");
  EXPECT_EQ(library_call_name("aten::mm", "float32[8, 64], float32[64, 4]"),
            "aten::mm(float32[8, 64], float32[64, 4])");
  EXPECT_EQ(operator_of_launch("elementwise of aten::mul"), "aten::mul");
  EXPECT_EQ(operator_of_launch("aten::mm(float32[8, 64], float32[64, 4])"), "aten::mm");
  EXPECT_EQ(operator_of_launch("aten::_cudnn_rnn(float32[2], part of it)"), "aten::_cudnn_rnn");
}

TEST(LaunchName, ACalibrationKnowsItWithoutWhatIsAbsent) {
  EXPECT_EQ(calibration_key("aten::conv(float32[8, 4], None, [1, 1], None)"), "aten::conv(float32[8, 4], [1, 1])");
  EXPECT_EQ(calibration_key("aten::mm(float32[8, 64], float32[64, 4] strides [1, 64])"),
            "aten::mm(float32[8, 64], float32[64, 4] strides [1, 64])");
  EXPECT_EQ(calibration_key("aten::f(None)"), "aten::f()");
  EXPECT_EQ(calibration_key("aten::f()"), "aten::f()");
  EXPECT_EQ(calibration_key("aten::f(NoneSuch, [None, 1])"), "aten::f(NoneSuch, [None, 1])") << "only a whole operand";
}

TEST(LaunchName, AKeyOfNoNameIsItself) {
  for (const char* text : {"", "cudaFree", "aten::f(1", ")(", "f(]], None)"}) {
    EXPECT_EQ(calibration_key(calibration_key(text)), calibration_key(text)) << text;
  }
  EXPECT_EQ(calibration_key("aten::f(1"), "aten::f(1");
}

TEST(LaunchName, HasNoneWhereNoOperatorRan) {
  EXPECT_EQ(operator_of_launch(own_kernel_name("elementwise", outside_operators)), "");
  EXPECT_EQ(operator_of_launch(library_call_name(outside_operators, "nccl")), "");
  EXPECT_EQ(operator_of_launch("cudaFree"), "");
}

}  // namespace
}  // namespace stepgate
