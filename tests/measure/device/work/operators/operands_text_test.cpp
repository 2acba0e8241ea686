#include "measure/device/work/operators/operands_text.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

ObservedTensor strided_floats(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
  return {.sizes = std::move(sizes), .strides = std::move(strides), .dtype = "float32"};
}

TEST(OperandsText, HasDtypeSizesAndLayout) {
  const OperatorCall call{
      .inputs = {strided_floats({8, 64}, {64, 1}), strided_floats({64, 4}, {1, 64})}, .outputs = {}, .arguments = {}};
  EXPECT_EQ(operands_text(call), "float32[8, 64], float32[64, 4] strides [1, 64]");
}

TEST(OperandsText, HasTheOtherArguments) {
  const OperatorCall call{.inputs = {strided_floats({2}, {1})},
                          .outputs = {strided_floats({2}, {1})},
                          .arguments = {"[1, 1]", "True", "None"}};
  EXPECT_EQ(operands_text(call), "float32[2], [1, 1], True, None");
}

TEST(OperandsText, StridesOfOneElementOrOfNoneSayNothing) {
  const OperatorCall call{.inputs = {strided_floats({1, 4}, {99, 1}), strided_floats({0, 4}, {7, 7}),
                                     strided_floats({}, {}), strided_floats({3}, {})},
                          .outputs = {},
                          .arguments = {}};
  EXPECT_EQ(operands_text(call), "float32[1, 4], float32[0, 4], float32[], float32[3]");
}

TEST(OperandsText, SumsUpTheRestOfALongList) {
  OperatorCall call;
  for (int i = 0; i < 10; ++i) call.inputs.push_back(strided_floats({i + 1}, {1}));
  EXPECT_EQ(operands_text(call),
            "float32[1], float32[2], float32[3], float32[4], float32[5], float32[6], float32[7], float32[8], 2 more of "
            "19 elements");
}

}  // namespace
}  // namespace stepgate
