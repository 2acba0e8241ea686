#include "measure/step/whole_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/metric.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(WholeStep, IsOneBoundaryBetweenTheCopyAndLogging) {
  EXPECT_THAT(whole_step_boundaries().names(), ElementsAre("data_wait", "h2d", "whole_step", "logging"));
  EXPECT_EQ(whole_step_boundaries().find("whole_step"), whole_step_boundary);
  EXPECT_EQ(whole_step_boundaries().metric(whole_step_boundary), "boundary_ns[whole_step]");
}

TEST(WholeStep, HasNoTimesOfItsParts) {
  EXPECT_THAT(
      absent_in_whole_step(Group::timed, {.hides_operators = false, .keeps_gradients = false, .is_graph = true}),
      UnorderedElementsAre(Pair("forward_ns", "one compiled step"), Pair("backward_ns", "one compiled step"),
                           Pair("optimizer_ns", "one compiled step")));
}

TEST(WholeStep, HasGradientNormsOnlyWhereItKeepsGradients) {
  const auto without =
      absent_in_whole_step(Group::exact, {.hides_operators = false, .keeps_gradients = false, .is_graph = true});
  EXPECT_THAT(without, UnorderedElementsAre(Pair("grad_norm", HasSubstr("keeps no gradients"))));
  EXPECT_TRUE(absent_in_whole_step(Group::exact, {.hides_operators = false, .keeps_gradients = true, .is_graph = true})
                  .empty());
}

TEST(WholeStep, OfCompiledCodeHasNoWorkByOperator) {
  const auto reasons =
      absent_in_whole_step(Group::exact, {.hides_operators = true, .keeps_gradients = true, .is_graph = true});
  EXPECT_THAT(reasons, UnorderedElementsAre(Pair("flops_per_step", HasSubstr("outside of LibTorch's operators")),
                                            Pair("bytes_touched_per_step", HasSubstr("outside"))));
}

TEST(WholeStep, ThatIsNoGraphHasNoCountsOfGraphs) {
  const auto reasons =
      absent_in_whole_step(Group::exact, {.hides_operators = false, .keeps_gradients = true, .is_graph = false});
  EXPECT_THAT(reasons, UnorderedElementsAre(Pair("graphs_after_warmup", "this step is not a CUDA graph"),
                                            Pair("graph_kernel_nodes", HasSubstr("not a CUDA graph")),
                                            Pair("graph_memcpy_nodes", HasSubstr("not a CUDA graph")),
                                            Pair("graph_memset_nodes", HasSubstr("not a CUDA graph")),
                                            Pair("graph_recording_ns", HasSubstr("not a CUDA graph")),
                                            Pair("graph_pool_bytes", HasSubstr("not a CUDA graph"))));
}

TEST(WholeStep, NamesOnlyMetricsThatExist) {
  for (const Group group : {Group::timed, Group::exact}) {
    for (const auto& [metric, reason] :
         absent_in_whole_step(group, {.hides_operators = true, .keeps_gradients = false, .is_graph = false})) {
      EXPECT_NE(find_metric(metric), nullptr) << metric;
    }
  }
}

}  // namespace
}  // namespace stepgate
