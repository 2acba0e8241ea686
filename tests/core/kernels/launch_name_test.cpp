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

TEST(LaunchName, HasNoneWhereNoOperatorRan) {
  EXPECT_EQ(operator_of_launch(own_kernel_name("elementwise", outside_operators)), "");
  EXPECT_EQ(operator_of_launch(library_call_name(outside_operators, "nccl")), "");
  EXPECT_EQ(operator_of_launch("cudaFree"), "");
}

}  // namespace
}  // namespace stepgate
