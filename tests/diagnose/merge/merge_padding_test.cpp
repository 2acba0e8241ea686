#include "diagnose/merge/merge_padding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

Fault work(const std::string& metric) {
  return fault_of({.code = FindingCode::work_added,
                   .severity = Severity::cause,
                   .message = metric,
                   .advice = "",
                   .metric = metric});
}

/// Four counted steps of which some have 80 more of it.
void grow_in(SampleCase& sample, const std::string& metric, const std::vector<std::int64_t>& steps) {
  sample.portable.exact[metric] = {0, 0, 0, 0};
  sample.current.counts.per_step[metric] = {0, 0, 0, 0};
  for (const std::int64_t step : steps) sample.current.counts.per_step[metric][static_cast<std::size_t>(step)] = 80;
  sample.red(metric);
}

Fault operators_of(const std::string& boundary) {
  return fault_of({.code = FindingCode::operator_added,
                   .severity = Severity::cause,
                   .message = "more operators",
                   .advice = "",
                   .metric = "operators_per_step",
                   .boundary = boundary});
}

TEST(MergePadding, TakesWhatRoseInTheStepsThatHaveMoreOfIt) {
  SampleCase sample;
  grow_in(sample, "padding_tokens_per_step", {0, 2});
  grow_in(sample, "padded_tokens_per_step", {0, 2});
  grow_in(sample, "flops_per_step", {0, 2});
  grow_in(sample, "h2d_bytes_per_step", {0, 1, 2, 3});
  Faults faults = {work("padding_tokens_per_step"), work("flops_per_step"), work("h2d_bytes_per_step")};
  merge_padding(sample.input(), faults);
  EXPECT_FALSE(faults[0].merged);
  EXPECT_TRUE(faults[1].merged);
  EXPECT_FALSE(faults[2].merged) << "steps without more padding copy more, too";
}

TEST(MergePadding, PaddingInPlaceOfUsefulTokensIsNoMoreWork) {
  SampleCase sample;
  grow_in(sample, "padding_tokens_per_step", {0, 2});
  grow_in(sample, "flops_per_step", {0, 2});
  Faults faults = {work("padding_tokens_per_step"), work("flops_per_step")};
  merge_padding(sample.input(), faults);
  EXPECT_FALSE(faults[1].merged);
}

TEST(MergePadding, AnOperatorThatComputesIsNoPadding) {
  SampleCase sample;
  grow_in(sample, "padding_tokens_per_step", {0, 2});
  grow_in(sample, "padded_tokens_per_step", {0, 2});
  grow_in(sample, "operators_per_step", {0, 2});
  sample.current.counts.operators["forward"]["aten::view"] += 2;
  Faults views = {work("padding_tokens_per_step"), operators_of("forward")};
  merge_padding(sample.input(), views);
  EXPECT_TRUE(views[1].merged);
  sample.current.counts.operators["forward"]["aten::mm"] += 2;
  Faults product = {work("padding_tokens_per_step"), operators_of("forward")};
  merge_padding(sample.input(), product);
  EXPECT_FALSE(product[1].merged);
}

TEST(MergePadding, WithoutPaddingNothingIsTaken) {
  SampleCase sample;
  grow_in(sample, "flops_per_step", {0, 2});
  Faults faults = {work("flops_per_step")};
  merge_padding(sample.input(), faults);
  EXPECT_FALSE(faults[0].merged);
}

}  // namespace
}  // namespace stepgate
