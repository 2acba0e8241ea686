#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using NodesOfSteps = std::vector<std::int64_t>;

SampleCase graphed(const std::string& metric, const NodesOfSteps& before, const NodesOfSteps& now) {
  SampleCase sample;
  sample.portable.exact[metric] = before;
  sample.current.counts.per_step[metric] = now;
  sample.red(metric);
  return sample;
}

TEST(CudaGraphs, ThatAreRecordedAfterTheWarmUpAreTheCause) {
  const auto findings = explain_cuda_graphs(graphed("graphs_after_warmup", {0, 0, 0, 0}, {0, 1, 0, 1}).input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "graphs-after-warmup");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message,
              HasSubstr("2 CUDA graphs are recorded in 2 of 4 steps after the warm-up, each after steps without one"));
}

TEST(CudaGraphs, ThatHoldMoreAreTheCauseWithWhatTheyHeldBefore) {
  SampleCase sample = graphed("graph_kernel_nodes", {540, 557, 557, 557}, {1860, 1883, 1883, 1883});
  sample.portable.exact["graph_memcpy_nodes"] = {4, 4, 4, 4};
  sample.current.counts.per_step["graph_memcpy_nodes"] = {6, 6, 6, 6};
  sample.red("graph_memcpy_nodes");
  sample.red("graph_pool_bytes");
  const auto findings = explain_cuda_graphs(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "graph-grew");
  EXPECT_EQ(findings[0].message, "kernels in the CUDA graph 1 883 (557 before), copies in the CUDA graph 6 (4 before)");
  EXPECT_EQ(findings[0].metric, "graph_kernel_nodes");
  EXPECT_THAT(findings[0].also, ElementsAre("graph_memcpy_nodes", "graph_pool_bytes"));
  EXPECT_THAT(findings[0].advice, HasSubstr("fused operator"));
}

TEST(CudaGraphs, OfAShortBatchThatHoldsMoreIsToldAgainstItself) {
  const auto findings =
      explain_cuda_graphs(graphed("graph_kernel_nodes", {600, 557, 600, 557}, {600, 600, 600, 600}).input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "kernels in the CUDA graph 600 (557 before)");
}

TEST(CudaGraphs, OfWhichSomeAreRecordedAgainDoNotTellWhatTheyHold) {
  SampleCase sample = graphed("graphs_after_warmup", {0, 0, 0, 0}, {0, 1, 0, 0});
  sample.red("graph_kernel_nodes");
  const auto findings = explain_cuda_graphs(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "graphs-after-warmup");
}

TEST(CudaGraphs, AreNoQuestionOfAStepWithoutThem) {
  SampleCase sample;
  sample.red("operators_per_step");
  EXPECT_THAT(explain_cuda_graphs(sample.input()), IsEmpty());
  EXPECT_THAT(explain_cuda_graphs(SampleCase().input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
