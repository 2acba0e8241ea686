#include "diagnose/merge/merge_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "diagnose/merge/extra_operator.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

MATCHER_P(CodeIs, code, "") { return name_of(arg.code) == code; }

TEST(MergeCauses, AnExtraOperatorIsOneCauseWithItsFigures) {
  const auto causes = causes_of(extra_operator());
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "operator-added");
  EXPECT_EQ(causes[0].message,
            "forward: +1 aten::log_softmax per step, in every counted step; with it allocations +3, bytes allocated "
            "+2 048 B, peak allocated +1 024 B (mostly activations)");
  EXPECT_EQ(causes[0].metric, "operators_per_step");
  EXPECT_THAT(causes[0].also, ElementsAre("allocations_per_step", "allocated_bytes_per_step", "peak_allocated_bytes"));
}

TEST(MergeCauses, NodesOfAnExtraOperatorBelongToIt) {
  SampleCase sample = extra_operator();
  grow(sample, "autograd_nodes_per_step", "forward", 1);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "operator-added");
  EXPECT_THAT(causes[0].message, HasSubstr("autograd nodes +1"));
}

TEST(MergeCauses, KernelsOfAnExtraOperatorBelongToItWithTheirFamily) {
  SampleCase sample = extra_operator();
  grow(sample, "own_kernels_per_step", "forward", 1);
  grow(sample, "kernels_per_step", "forward", 1);
  sample.portable.device_calls["own_kernels_per_step"]["forward"] = {{"elementwise of aten::mul", 4}};
  sample.current.counts.device_calls["own_kernels_per_step"]["forward"] = {{"elementwise of aten::mul", 4},
                                                                           {"softmax of aten::_log_softmax", 4}};
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "operator-added");
  EXPECT_THAT(causes[0].message, HasSubstr("own kernels +1 (softmax of aten::_log_softmax)"));
  EXPECT_THAT(causes[0].message, HasSubstr("kernels +1"));
}

TEST(MergeCauses, TheSumOfKernelsBelongsToTheOwnOnes) {
  SampleCase sample;
  grow(sample, "own_kernels_per_step", "forward", 2);
  grow(sample, "kernels_per_step", "forward", 2);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].metric, "own_kernels_per_step");
  EXPECT_THAT(causes[0].also, ElementsAre("kernels_per_step"));
}

TEST(MergeCauses, AForgottenNoGradGuardIsOneCauseWithThePeakThatItRaises) {
  SampleCase sample;
  grow(sample, "autograd_nodes_per_step", "logging", 5);
  sample.current.peak_by_boundary["logging"] = 6000;
  sample.portable.peak_by_boundary["logging"] = 2000;
  sample.current.bytes["peak_allocated_bytes"] = {6000};
  sample.red("peak_allocated_bytes");
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].message,
            "autograd records more nodes: logging +5 per step, in every counted step; with it peak allocated +1 904 B");
  EXPECT_THAT(causes[0].advice, HasSubstr("NoGradGuard"));
}

TEST(MergeCauses, AHostSyncIsOneCause) {
  SampleCase sample;
  sample.current.counts.operators["forward"]["aten::item"] = 4;
  sample.current.counts.operators["forward"]["aten::_local_scalar_dense"] = 4;
  sample.red("operators_per_step");
  grow(sample, "host_syncs_per_step", "forward", 1);
  grow(sample, "d2h_copies_per_step", "forward", 1);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "host-sync-added");
  EXPECT_EQ(causes[0].message,
            "forward: +1 aten::_local_scalar_dense, +1 aten::item per step, in every counted step; with it host syncs "
            "+1, D2H copies +1");
  EXPECT_THAT(causes[0].also, UnorderedElementsAre("operators_per_step", "d2h_copies_per_step"));
}

TEST(MergeCauses, AHostSyncThatNoOperatorExplainsStaysACauseOfItsOwn) {
  SampleCase sample = extra_operator();
  grow(sample, "host_syncs_per_step", "forward", 1);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_THAT(causes[1].message, HasSubstr("host syncs: forward +1"));
}

TEST(MergeCauses, AHostSyncTakesTheCallsOfTheDeviceThatItMakes) {
  SampleCase sample;
  grow(sample, "host_syncs_per_step", "forward", 1);
  grow(sample, "device_syncs_per_step", "forward", 1);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("device syncs +1"));
}

TEST(MergeCauses, WorkOfAnotherBoundaryStaysACauseOfItsOwn) {
  SampleCase sample = extra_operator();
  grow(sample, "kernels_per_step", "optimizer", 2);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_THAT(causes[1].message, HasSubstr("kernels: optimizer +2"));
}

TEST(MergeCauses, APeakThatTheAllocationsCannotExplainStaysACauseOfItsOwn) {
  SampleCase sample = extra_operator();
  sample.current.bytes["peak_allocated_bytes"] = {4096 + (1 << 20)};
  sample.current.peak_by_boundary["forward"] = 4096 + (1 << 20);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(name_of(causes[1].code), "peak-grew");
  EXPECT_THAT(causes[0].message, Not(HasSubstr("peak")));
}

TEST(MergeCauses, BackwardFollowsForward) {
  SampleCase sample = extra_operator();
  sample.current.counts.operators["backward"]["aten::_log_softmax_backward_data"] = 4;
  grow(sample, "kernels_per_step", "backward", 1);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("backward: +1 aten::_log_softmax_backward_data per step (kernels +1)"));
}

TEST(MergeCauses, AHostSyncInForwardDoesNotExplainBackward) {
  SampleCase sample;
  sample.current.counts.operators["forward"]["aten::_local_scalar_dense"] = 4;
  sample.current.counts.operators["backward"]["aten::mul"] = 4;
  sample.red("operators_per_step");
  EXPECT_EQ(causes_of(sample).size(), 2U);
}

TEST(MergeCauses, TheTimeOfABoundaryJoinsTheOperatorsAddedThere) {
  SampleCase sample = extra_operator();
  sample.timed("step_time_ns", Status::regressed, 10e6, 14.3e6);
  sample.timed("forward_ns", Status::not_judged, 4e6, 8.1e6);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("forward +4.10 ms of the step's +4.30 ms (95 %)"));
  EXPECT_THAT(causes[0].also, testing::Contains("step_time_ns"));
}

TEST(MergeCauses, WithoutOperatorsAllocationsTakeTheirBytesAndThePeak) {
  SampleCase sample = extra_operator();
  sample.current.counts.operators.clear();
  sample.verdict.metrics.erase(sample.verdict.metrics.begin());
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("allocations: forward +3 per step, in every counted step; with it bytes "
                                           "allocated +2 048 B, peak allocated +1 024 B"));
}

TEST(MergeCauses, LoaderFiguresAreOneCause) {
  SampleCase sample;
  grow(sample, "loader_operators_per_batch", "data_wait", 5);
  grow(sample, "loader_allocations_per_batch", "data_wait", 2);
  grow(sample, "loader_bytes_per_batch", "data_wait", 512);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("with it loader allocations +2, bytes allocated by the loader +512 B"));
}

TEST(MergeCauses, SomethingKeptAliveTakesThePeakThatItLifts) {
  SampleCase sample;
  sample.current.bytes["peak_allocated_bytes"] = {4608};
  sample.current.bytes["resident_bytes"] = {1536};
  for (auto& [boundary, peak] : sample.current.peak_by_boundary) peak += 512;
  sample.red("peak_allocated_bytes");
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "kept-alive");
  EXPECT_THAT(causes[0].message, HasSubstr("with it peak allocated +512 B"));
}

TEST(MergeCauses, SomethingKeptAliveTakesThePeakOfSomeBoundariesWhereItIsAsMuch) {
  SampleCase sample;
  sample.current.bytes["peak_allocated_bytes"] = {4608};
  sample.current.bytes["resident_bytes"] = {1536};
  sample.current.peak_by_boundary["forward"] += 512;
  sample.red("peak_allocated_bytes");
  EXPECT_THAT(causes_of(sample), ElementsAre(CodeIs("kept-alive")));
  sample.current.bytes["resident_bytes"] = {1535};
  EXPECT_THAT(causes_of(sample), UnorderedElementsAre(CodeIs("peak-grew"), CodeIs("kept-alive")))
      << "a byte less than the peak";
}

TEST(MergeCauses, ReservedMemoryFollowsAllocatedMemory) {
  SampleCase sample;
  sample.portable.bytes["peak_reserved_bytes"] = {8192};
  sample.current.bytes["peak_reserved_bytes"] = {10240};
  sample.current.bytes["peak_allocated_bytes"] = {4608};
  sample.current.peak_by_boundary["forward"] = 4608;
  sample.red("peak_allocated_bytes");
  sample.red("peak_reserved_bytes");
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].message, HasSubstr("with it peak reserved +2 048 B"));
}

TEST(MergeCauses, TheCauseOfMostRedMetricsComesFirst) {
  SampleCase sample = extra_operator();
  sample.current.counts.operators["data_wait"]["aten::mul"] = 4;
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_THAT(causes[0].message, HasSubstr("aten::log_softmax"));
  EXPECT_THAT(causes[1].message, HasSubstr("data_wait: +1 aten::mul"));
}

/// One operator in the logging moves three metrics a little, nine in forward move two of them most.
TEST(MergeCauses, WhatExplainsMostOfTheChangeComesFirst) {
  SampleCase sample;
  sample.current.counts.operators["logging"]["aten::mul"] = 4;
  sample.current.counts.operators["forward"]["aten::add"] = 4 * 9;
  for (const char* metric : {"operators_per_step", "allocations_per_step"}) {
    grow(sample, metric, "forward", 9);
    sample.current.counts.by_boundary[metric]["logging"] += 4;
  }
  grow(sample, "autograd_nodes_per_step", "logging", 1);
  const auto causes = causes_of(sample);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].boundary, "forward");
  EXPECT_EQ(causes[1].boundary, "logging");
}

TEST(MergeCauses, FillsAndViewsComeAfterEveryOtherCause) {
  SampleCase sample;
  sample.current.counts.operators["backward"]["aten::fill_"] = 4;
  sample.red("operators_per_step");
  sample.current.bytes["peak_allocated_bytes"] = {4608};
  sample.current.peak_by_boundary["backward"] += 512;
  sample.red("peak_allocated_bytes");
  EXPECT_THAT(causes_of(sample), ElementsAre(CodeIs("peak-grew"), CodeIs("operator-added")));
  sample.current.counts.operators["backward"]["aten::mul"] += 4;
  EXPECT_THAT(causes_of(sample), Not(ElementsAre(CodeIs("peak-grew"), CodeIs("operator-added"))));
}

TEST(MergeCauses, MorePaddingComesBeforeTheSizesThatItCauses) {
  SampleCase sample;
  grow(sample, "flops_per_step", "forward", 1000);
  grow(sample, "saved_bytes_per_step", "forward", 512);
  grow(sample, "padding_tokens_per_step", "data_wait", 8);
  const auto causes = causes_of(sample);
  ASSERT_GT(causes.size(), 1U) << "no more tokens: the work has another reason";
  EXPECT_EQ(causes[0].metric, "padding_tokens_per_step");
}

TEST(MergeCauses, AValueThatIsNotFiniteComesBeforeEverything) {
  SampleCase sample = extra_operator();
  sample.current.numerics[0].loss[2] = std::numeric_limits<double>::infinity();
  sample.red("loss");
  EXPECT_EQ(name_of(causes_of(sample)[0].code), "non-finite");
}

TEST(MergeCauses, ANoteTakesNoCauseAndStaysBehindTheCauses) {
  SampleCase sample;
  grow(sample, "allocations_per_step", "forward", 3);
  const Finding note{.code = FindingCode::operator_added,
                     .severity = Severity::note,
                     .message = "forward: +1 aten::mul per step",
                     .advice = "",
                     .metric = "operators_per_step",
                     .boundary = "forward"};
  const Finding cause{.code = FindingCode::work_added,
                      .severity = Severity::cause,
                      .message = "allocations: forward +3 per step",
                      .advice = "",
                      .metric = "allocations_per_step",
                      .boundary = "forward"};
  const auto merged = merge_causes(sample.input(), {note, cause});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].message, cause.message);
  EXPECT_EQ(merged[1].message, note.message);
}

}  // namespace
}  // namespace stepgate
