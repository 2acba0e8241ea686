#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/diagnose.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

MATCHER_P(HasCode, code, "") { return name_of(arg.code) == code; }

std::vector<Finding> only_causes_of(const SampleCase& sample) {
  std::vector<Finding> findings = diagnose(sample.input());
  std::erase_if(findings, [](const Finding& finding) { return finding.severity != Severity::cause; });
  return findings;
}

/// Adds `per_step` of a metric to a boundary in each of four counted steps.
void grow_work(SampleCase& sample, const std::string& metric, const std::string& boundary, std::int64_t per_step) {
  sample.current.counts.by_boundary[metric][boundary] += 4 * per_step;
  auto& steps = sample.current.counts.per_step[metric];
  if (steps.empty()) steps = sample.portable.exact[metric] = {0, 0, 0, 0};
  for (std::int64_t& step : steps) step += per_step;
  sample.red(metric);
}

/// The effect of an extra log_softmax in forward: operator, allocations, bytes, peak, and live memory.
SampleCase one_more_operator() {
  SampleCase sample;
  sample.current.counts.operators["forward"]["aten::log_softmax"] = 4;
  sample.red("operators_per_step");
  grow_work(sample, "allocations_per_step", "forward", 3);
  grow_work(sample, "allocated_bytes_per_step", "forward", 2048);
  sample.current.peak_by_boundary = {{"forward", 5120}, {"backward", 5024}, {"optimizer", 2000}};
  sample.current.bytes["peak_allocated_bytes"] = {5120};
  sample.red("peak_allocated_bytes");
  sample.portable.ledger = MemoryLedger{4096, 1, "forward", {{"activations", 3000}, {"parameters", 1096}}};
  sample.current.ledger = MemoryLedger{5120, 1, "forward", {{"activations", 4024}, {"parameters", 1096}}};
  return sample;
}

/// The extra operator was seen to touch so many bytes and to compute so many FLOPs in each step.
SampleCase observed_operator(std::int64_t bytes, std::int64_t flops) {
  SampleCase sample = one_more_operator();
  OperatorSite site{.boundary = "forward", .name = "aten::log_softmax"};
  site.calls = 4;
  site.bytes = 4 * bytes;
  site.flops = 4 * flops;
  sample.current.counts.observed = ObservedWork{.steps = 4, .sites = {site}};
  return sample;
}

void grow_in_backward_too(SampleCase& sample, const std::string& metric, std::int64_t per_step) {
  grow_work(sample, metric, "forward", per_step);
  sample.current.counts.by_boundary[metric]["backward"] += 4 * per_step;
  for (std::int64_t& step : sample.current.counts.per_step[metric]) step += per_step;
}

TEST(MergeWork, WhatAnExtraOperatorComputesAndTouchesIsPartOfItInBackwardToo) {
  SampleCase sample = observed_operator(4096, 500);
  grow_work(sample, "flops_per_step", "forward", 500);
  grow_in_backward_too(sample, "bytes_touched_per_step", 4096);
  const auto causes = only_causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("bytes touched +8 192 B"));
}

TEST(MergeWork, LargerTensorsBesideASmallNewOperatorAreACauseOfTheirOwn) {
  SampleCase sample = observed_operator(4096, 0);
  grow_in_backward_too(sample, "bytes_touched_per_step", 100 * 4096);
  EXPECT_THAT(only_causes_of(sample), UnorderedElementsAre(HasCode("operator-added"), HasCode("work-added")));
}

TEST(MergeWork, BackwardThatTakesMuchMoreThanForwardHasAnotherReason) {
  SampleCase sample = observed_operator(4096, 0);
  grow_work(sample, "bytes_touched_per_step", "forward", 4096);
  sample.current.counts.by_boundary["bytes_touched_per_step"]["backward"] += 4 * 100 * 4096;
  EXPECT_THAT(only_causes_of(sample), UnorderedElementsAre(HasCode("operator-added"), HasCode("work-added")));
}

}  // namespace
}  // namespace stepgate
