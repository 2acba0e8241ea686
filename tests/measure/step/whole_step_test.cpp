#include "measure/step/whole_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_THAT(absent_in_whole_step(Group::timed, {.hides_operators = false, .keeps_gradients = false}),
              UnorderedElementsAre(Pair("forward_ns", "one compiled step"), Pair("backward_ns", "one compiled step"),
                                   Pair("optimizer_ns", "one compiled step")));
}

TEST(WholeStep, HasGradientNormsOnlyWhereItKeepsGradients) {
  const auto without = absent_in_whole_step(Group::exact, {.hides_operators = false, .keeps_gradients = false});
  EXPECT_THAT(without, UnorderedElementsAre(Pair("grad_norm", HasSubstr("keeps no gradients"))));
  EXPECT_TRUE(absent_in_whole_step(Group::exact, {.hides_operators = false, .keeps_gradients = true}).empty());
}

TEST(WholeStep, OfCompiledCodeHasNoWorkByOperator) {
  const auto reasons = absent_in_whole_step(Group::exact, {.hides_operators = true, .keeps_gradients = true});
  EXPECT_THAT(reasons, UnorderedElementsAre(Pair("flops_per_step", HasSubstr("outside of LibTorch's operators")),
                                            Pair("bytes_touched_per_step", HasSubstr("outside"))));
}

}  // namespace
}  // namespace stepgate
