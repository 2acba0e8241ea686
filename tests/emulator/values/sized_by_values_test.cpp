// The table of operators whose sizes depend on values, against the tags that LibTorch gives them.
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <string>

#include "emulator/machine/size_reads.h"

namespace stepgate::emulator {
namespace {

/// The name that at::_ops has for an operator: "repeat_interleave_Tensor" of "aten::repeat_interleave.Tensor".
std::string struct_name(const c10::OperatorName& name) {
  std::string text = name.name.substr(name.name.find("::") + 2);
  if (!name.overload_name.empty()) text += "_" + name.overload_name;
  return text;
}

TEST(SizedByValues, EachTaggedOperatorIsInTheTable) {
  int tagged = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (!name.name.starts_with("aten::")) continue;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op || !op->hasTag(at::Tag::dynamic_output_shape)) continue;
    ++tagged;
    EXPECT_TRUE(is_sized_by_values(struct_name(name))) << toString(name);
  }
  EXPECT_GE(tagged, static_cast<int>(operators_sized_by_values.size()));
}

TEST(SizedByValues, EachRowOfTheTableIsATaggedOperator) {
  for (const std::string_view row : operators_sized_by_values) {
    bool found = false;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
      if (!name.name.starts_with("aten::") || struct_name(name) != row) continue;
      const auto op = c10::Dispatcher::singleton().findSchema(name);
      found = found || (op && op->hasTag(at::Tag::dynamic_output_shape));
    }
    EXPECT_TRUE(found) << row;
  }
}

}  // namespace
}  // namespace stepgate::emulator
