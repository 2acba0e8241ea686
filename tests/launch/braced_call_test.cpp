#include "launch/braced_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

std::string text_of_source() {
  std::string text;
  for (const std::string& line : source) text += line + '\n';
  return text;
}

/// The line that the frame around an inlined call in `file` has in the end; 12 is the mended one.
std::int64_t mended_line(const std::string& file, const std::filesystem::path& source_root) {
  FramesByOffset frames = {
      {1, {{"Tensor::contiguous", "/wheel/torch/include/ATen/core/TensorBody.h", 500}, {"joined", file, 13}}}};
  mend_braced_calls(frames, source_root);
  EXPECT_EQ(frames[1][0].line, 500);
  return frames[1][1].line;
}

TEST(BracedCall, MendsTheFrameAroundAnInlinedCall) {
  const TemporaryFolder folder;
  const std::string file = folder.write("model.cpp", text_of_source()).string();
  EXPECT_EQ(mended_line(file, folder.path()), 12);
  FramesByOffset alone = {{2, {{"joined", file, 13}}}};
  mend_braced_calls(alone, folder.path());
  EXPECT_EQ(alone[2][0].line, 13) << "nothing is inlined into it";
  EXPECT_EQ(mended_line("/gone.cpp", folder.path()), 13) << "a source that cannot be read";
}

TEST(BracedCall, ReadsNoSourceOutsideOfTheSourceTree) {
  const TemporaryFolder folder;
  const std::string file = folder.write("elsewhere/model.cpp", text_of_source()).string();
  std::filesystem::create_directory(folder.path() / "tree");
  EXPECT_EQ(mended_line(file, folder.path() / "tree"), 13);
  EXPECT_EQ(mended_line(file, ""), 13);
}

}  // namespace
}  // namespace stepgate
