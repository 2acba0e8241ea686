#include "launch/braced_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::Optional;

const std::vector<std::string> source = {
    "Batch get_batch() {",                                    // 1
    "  const Tensor images = before.clone();",                // 2
    "  if (images.defined()) {",                              // 3
    "    keep({images.to(device), 1});",                      // 4
    "  }",                                                    // 5
    "  batch.tensors = {images.clone(),  // a copy.clone()",  // 6
    "                   \"{\", labels.clone()};",             // 7
    "  return {images.view({1}).to(device)};",                // 8
    "}",                                                      // 9
    "",                                                       // 10
    "Tensor joined() {",                                      // 11
    "  return cat({a.contiguous(), b.contiguous()});",        // 12
    "}",                                                      // 13
};

TEST(BracedCall, FindsTheOnlyCallInABracedList) {
  EXPECT_THAT(line_of_braced_call(source, 13, "contiguous"), Optional(12));
  EXPECT_THAT(line_of_braced_call(source, 9, "view"), Optional(8)) << "the parentheses are within the list";
}

TEST(BracedCall, NamesNothingWhereTwoLinesCouldBeMeant) {
  EXPECT_FALSE(line_of_braced_call(source, 9, "clone")) << "lines 6 and 7; line 2 is in no list";
  EXPECT_FALSE(line_of_braced_call(source, 9, "to")) << "lines 4 and 8";
}

TEST(BracedCall, KnowsBlocksAndLambdasFromLists) {
  EXPECT_FALSE(line_of_braced_call(source, 9, "defined"));
  const std::vector<std::string> lambda = {"void run() {", "  each({[&](int) { return a.clone(); }, b.item()});", "}"};
  EXPECT_FALSE(line_of_braced_call(lambda, 3, "clone")) << "a function of its own, with its own closing brace";
  EXPECT_THAT(line_of_braced_call(lambda, 3, "item"), Optional(2));
}

TEST(BracedCall, StaysWithinItsFunction) {
  EXPECT_FALSE(line_of_braced_call(source, 13, "view"));
  EXPECT_FALSE(line_of_braced_call(source, 9, "contiguous"));
}

TEST(BracedCall, LeavesOtherLinesAlone) {
  EXPECT_FALSE(line_of_braced_call(source, 12, "contiguous")) << "not a closing brace";
  EXPECT_FALSE(line_of_braced_call(source, 0, "contiguous"));
  EXPECT_FALSE(line_of_braced_call(source, 14, "contiguous"));
  EXPECT_FALSE(line_of_braced_call(source, 13, ""));
  EXPECT_FALSE(line_of_braced_call({}, 1, "contiguous"));
}

TEST(BracedCall, MendsTheFrameAroundAnInlinedCall) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "model.cpp").string();
  std::ofstream stream(file);
  for (const std::string& line : source) stream << line << '\n';
  stream.close();
  FramesByOffset frames = {
      {1, {{"Tensor::contiguous", "/wheel/torch/include/ATen/core/TensorBody.h", 500}, {"joined", file, 13}}},
      {2, {{"joined", file, 13}}},
      {3, {{"Tensor::contiguous", "/wheel/torch/include/ATen/core/TensorBody.h", 500}, {"gone", "/gone.cpp", 13}}}};
  mend_braced_calls(frames, folder.path());
  EXPECT_EQ(frames[1][1].line, 12);
  EXPECT_EQ(frames[1][0].line, 500);
  EXPECT_EQ(frames[2][0].line, 13) << "nothing is inlined into it";
  EXPECT_EQ(frames[3][1].line, 13) << "a source that cannot be read";
}

}  // namespace
}  // namespace stepgate
