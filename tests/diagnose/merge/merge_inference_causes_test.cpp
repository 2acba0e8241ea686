#include "diagnose/merge/merge_inference_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

Fault inference_fault(FindingCode code, const std::string& metric, const std::string& boundary = "infer") {
  return fault_of({.code = code,
                   .severity = Severity::cause,
                   .message = metric,
                   .advice = "",
                   .metric = metric,
                   .boundary = boundary});
}

TEST(MergeInferenceCauses, AGraphTakesItsNodesItsMemoryAndItsTime) {
  Faults faults = {inference_fault(FindingCode::work_added, "autograd_nodes_per_step"),
                   inference_fault(FindingCode::saved_bytes_grew, "saved_bytes_per_step"),
                   inference_fault(FindingCode::peak_grew, "peak_allocated_bytes", ""),
                   inference_fault(FindingCode::boundary_slower, "latency_mean_ns"),
                   inference_fault(FindingCode::boundary_slower, "latency_mean_ns", "post"),
                   inference_fault(FindingCode::grad_mode_left_on, "graph_answers_per_step")};
  merge_inference_causes(faults);
  std::vector<bool> merged;
  for (const Fault& fault : faults) merged.push_back(fault.merged);
  EXPECT_THAT(merged, testing::ElementsAre(true, true, true, true, false, false));
  EXPECT_THAT(faults.back().finding.also, testing::Contains("latency_mean_ns"));
}

TEST(MergeInferenceCauses, TrainModeTakesItsOperatorsAndOtherAnswers) {
  Faults faults = {inference_fault(FindingCode::operator_added, "operators_per_step"),
                   inference_fault(FindingCode::forward_changed, "loss", "forward"),
                   inference_fault(FindingCode::leak_grew, "leak_bytes_per_step", ""),
                   inference_fault(FindingCode::train_mode_left_on, "training_modules")};
  merge_inference_causes(faults);
  EXPECT_TRUE(faults[0].merged);
  EXPECT_TRUE(faults[1].merged);
  EXPECT_FALSE(faults[2].merged) << "a leak has a reason of its own";
}

}  // namespace
}  // namespace stepgate
