#include "core/stored/function_calls.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

const SourceFrame clip_norm{"clip", "train.cpp", 11};
const SourceFrame clip_scale{"clip", "train.cpp", 14};
const SourceFrame first_call{"step", "train.cpp", 40};
const SourceFrame second_call{"step", "train.cpp", 55};

void add(ObservedWork& work, const std::string& name, std::vector<SourceFrame> frames, std::int64_t calls) {
  work.places.push_back({{}, std::move(frames)});
  OperatorSite site{.boundary = "optimizer", .name = name, .place = work.places.size() - 1};
  site.calls = calls;
  work.sites.push_back(site);
}

TEST(FunctionCallsOfWork, AreInTheOrderOfLinesWithTheRangeOfTheOperatorsBelow) {
  ObservedWork work{.steps = 4};
  add(work, "aten::mul_", {clip_scale, second_call}, 40);
  add(work, "aten::norm", {clip_norm, second_call}, 4);
  add(work, "aten::norm", {clip_norm, first_call}, 4);
  add(work, "aten::mul_", {clip_scale, first_call}, 30);
  add(work, "aten::mul_", {clip_scale, first_call}, 10);  // of another dtype
  const FunctionCalls expected = {{"", {{"step", 4, 40}}},
                                  {"clip", {{"aten::norm", 8, 8}, {"aten::mul_", 80, 80}}},
                                  {"step", {{"clip", 4, 40}, {"clip", 4, 40}}}};
  EXPECT_EQ(function_calls(work), expected);
  EXPECT_EQ(calls_from_lines(work).back().caller, second_call);
}

TEST(FunctionCallsOfWork, LeaveBackwardAndUnknownPlacesOut) {
  ObservedWork work{.steps = 4};
  add(work, "aten::mul", {clip_scale, first_call}, 4);
  work.sites.back().for_forward = true;
  work.sites.push_back({.boundary = "forward", .name = "aten::mm"});
  EXPECT_TRUE(function_calls(work).empty());
}

}  // namespace
}  // namespace stepgate
