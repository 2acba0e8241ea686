#include "diagnose/work/work_location.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/observed_sample.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(WorkLocation, NamesTheBoundariesLargestFirst) {
  SampleCase sample;
  sample.current.counts.by_boundary["allocations_per_step"] = {{"forward", 20}, {"backward", 16}};
  sample.current.counts.per_step["allocations_per_step"] = {9, 9, 9, 9};
  sample.red("allocations_per_step");
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "allocations: backward +2, forward +1 per step, in every counted step");
  EXPECT_EQ(findings[0].severity, Severity::cause);
}

TEST(WorkLocation, NamesABoundaryOfTheLoopsOwn) {
  SampleCase sample;
  sample.current.boundaries.insert(2, "critic");
  sample.current.counts.by_boundary["allocations_per_step"]["critic"] = 8;
  sample.current.counts.per_step["allocations_per_step"] = {8, 8, 8, 8};
  sample.red("allocations_per_step");
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].boundary, "critic");
}

SampleCase with_device_calls() {
  SampleCase sample;
  sample.portable.exact["device_syncs_per_step"] = {1, 1, 1, 1};
  sample.portable.counts_by_boundary["device_syncs_per_step"] = {{"optimizer", 4}};
  sample.portable.device_calls["device_syncs_per_step"]["optimizer"]["cudaStreamSynchronize"] = 4;
  sample.current.counts.per_step["device_syncs_per_step"] = {4, 4, 4, 4};
  sample.current.counts.by_boundary["device_syncs_per_step"] = {{"forward", 12}, {"optimizer", 4}};
  sample.current.counts.device_calls["device_syncs_per_step"] = {
      {"forward", {{"cudaDeviceSynchronize", 4}, {"cudaFree", 8}}}, {"optimizer", {{"cudaStreamSynchronize", 4}}}};
  sample.red("device_syncs_per_step");
  return sample;
}

TEST(WorkLocation, NamesTheCallsThatMakeTheHostWait) {
  const auto findings = explain_work_location(with_device_calls().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "device syncs: forward +2 cudaFree, +1 cudaDeviceSynchronize per step, in every counted step");
  EXPECT_EQ(findings[0].boundary, "forward");
  EXPECT_THAT(findings[0].advice, HasSubstr("synchronize()"));
}

TEST(WorkLocation, NamesOnlyBoundariesWhereTheBaselineNamesNoCalls) {
  SampleCase sample = with_device_calls();
  sample.portable.device_calls.clear();
  EXPECT_EQ(explain_work_location(sample.input())[0].message,
            "device syncs: forward +3 per step, in every counted step");
}

/// A baseline of an older version has casts and no dtypes of them.
TEST(WorkLocation, NamesNoCastsWhereTheBaselineHasNoDtypes) {
  SampleCase sample = with_device_calls();
  sample.portable.exact["casts_per_step"] = {1, 1, 1, 1};
  sample.portable.counts_by_boundary["casts_per_step"] = {{"forward", 4}};
  sample.current.counts.per_step["casts_per_step"] = {2, 2, 2, 2};
  sample.current.counts.by_boundary["casts_per_step"] = {{"forward", 8}};
  auto& casts = sample.current.counts.device_calls["casts_per_step"]["forward"];
  casts = {{"float32 to bfloat16", 4}, {"float32 to float64", 4}};
  sample.red("casts_per_step");
  EXPECT_THAT(explain_work_location(sample.input()).back().message, HasSubstr("casts: forward +1 per step"));
  sample.portable.device_calls["casts_per_step"]["forward"]["float32 to bfloat16"] = 4;
  EXPECT_THAT(explain_work_location(sample.input()).back().message,
              HasSubstr("casts: forward +1 float32 to float64 per step"));
}

TEST(WorkLocation, SpeaksOfAutocastWhereCastsOf16BitDtypesAreNew) {
  SampleCase sample = with_device_calls();
  sample.portable.counts_by_boundary["casts_per_step"] = {{"forward", 4}};
  sample.portable.device_calls["casts_per_step"]["forward"]["int64 to float32"] = 4;
  sample.current.counts.by_boundary["casts_per_step"] = {{"forward", 8}};
  auto& casts = sample.current.counts.device_calls["casts_per_step"]["forward"];
  casts = {{"int64 to float32", 4}, {"bool to float32", 4}};
  sample.red("casts_per_step");
  EXPECT_THAT(explain_work_location(sample.input()).back().advice, Not(HasSubstr("autocast")));
  casts = {{"int64 to float32", 4}, {"float32 to bfloat16", 4}};
  EXPECT_THAT(explain_work_location(sample.input()).back().advice, HasSubstr("autocast"));
}

TEST(WorkLocation, NamesAFewCallsOfMany) {
  SampleCase sample = with_device_calls();
  auto& forward = sample.current.counts.device_calls["device_syncs_per_step"]["forward"];
  forward = {{"cudaA", 4}, {"cudaB", 4}, {"cudaC", 4}, {"cudaD", 4}};
  EXPECT_THAT(explain_work_location(sample.input())[0].message, HasSubstr("+1 cudaC (and 1 more) per step"));
}

SampleCase with_launches() {
  SampleCase sample;
  sample.portable.exact["own_kernels_per_step"] = {5, 5, 5, 5};
  sample.portable.counts_by_boundary["own_kernels_per_step"] = {{"forward", 20}};
  sample.portable.device_calls["own_kernels_per_step"]["forward"] = {{"elementwise of aten::mul", 20}};
  sample.current.counts.per_step["own_kernels_per_step"] = {7, 7, 7, 7};
  sample.current.counts.by_boundary["own_kernels_per_step"] = {{"forward", 28}};
  sample.current.counts.device_calls["own_kernels_per_step"]["forward"] = {{"elementwise of aten::mul", 16},
                                                                           {"softmax of aten::_softmax", 12}};
  sample.red("own_kernels_per_step");
  return sample;
}

TEST(WorkLocation, NamesFamilyOperatorAndLineOfAKernel) {
  SampleCase sample = with_launches();
  const SourceFrame line{"Net::forward", "net.cpp", 12};
  observe(sample, {"forward", "aten::_softmax", line}, 12);
  observe(sample, {"forward", "aten::mul", {"Net::scale", "net.cpp", 30}}, 16);
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "own kernels: forward +3 softmax of aten::_softmax, -1 elementwise of aten::mul per step, in every counted "
            "step");
  EXPECT_THAT(findings[0].sources, testing::ElementsAre(line));
}

TEST(WorkLocation, NamesTheShapeOfALibraryCall) {
  SampleCase sample;
  sample.portable.exact["library_calls_per_step"] = {1, 1, 1, 1};
  sample.portable.counts_by_boundary["library_calls_per_step"] = {{"forward", 4}};
  sample.portable.device_calls["library_calls_per_step"]["forward"] = {{"aten::mm(float32[8, 4], float32[4, 2])", 4}};
  sample.current.counts.per_step["library_calls_per_step"] = {2, 2, 2, 2};
  sample.current.counts.by_boundary["library_calls_per_step"] = {{"forward", 8}};
  sample.current.counts.device_calls["library_calls_per_step"]["forward"] = {
      {"aten::mm(float32[8, 4], float32[4, 2])", 8}};
  sample.red("library_calls_per_step");
  const SourceFrame line{"Net::forward", "net.cpp", 12};
  observe(sample, {"forward", "aten::mm", line}, 8);
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message,
              HasSubstr("library calls: forward +1 aten::mm(float32[8, 4], float32[4, 2]) per step"));
  EXPECT_THAT(findings[0].sources, testing::ElementsAre(line));
}

TEST(WorkLocation, NamesABoundaryThatIsGone) {
  SampleCase sample;
  sample.portable.counts_by_boundary["allocations_per_step"]["critic"] = 8;
  sample.judged("allocations_per_step", Status::improved);
  ASSERT_EQ(explain_work_location(sample.input()).size(), 1U);
  EXPECT_EQ(explain_work_location(sample.input())[0].boundary, "critic");
}

TEST(WorkLocation, SaysWhichStepsAreAffected) {
  SampleCase sample;
  sample.current.counts.by_boundary["allocations_per_step"]["forward"] = 18;
  sample.current.counts.per_step["allocations_per_step"] = {6, 7, 6, 7};
  sample.red("allocations_per_step");
  EXPECT_EQ(explain_work_location(sample.input())[0].message,
            "allocations: forward +1 per step, in 2 of 4 counted steps (first: step 1)");
}

TEST(WorkLocation, LeavesOperatorsToTheirOwnQuestionAndGreensAlone) {
  SampleCase sample;
  sample.portable.counts_by_boundary["operators_per_step"] = {{"forward", 12}};
  sample.current.counts.by_boundary["operators_per_step"] = {{"forward", 16}};
  sample.current.counts.by_boundary["allocations_per_step"]["forward"] = 20;
  sample.red("operators_per_step");
  EXPECT_THAT(explain_work_location(sample.input()), IsEmpty());
}

TEST(WorkLocation, AsksForTheGuardWhereOnlyAutogradRecordsMore) {
  SampleCase sample;
  sample.portable.exact["autograd_nodes_per_step"] = {7, 7, 7, 7};
  sample.current.counts.per_step["autograd_nodes_per_step"] = {12, 12, 12, 12};
  sample.portable.counts_by_boundary["autograd_nodes_per_step"] = {{"forward", 28}};
  sample.current.counts.by_boundary["autograd_nodes_per_step"] = {{"forward", 28}, {"logging", 20}};
  sample.red("autograd_nodes_per_step");
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "autograd records more nodes: logging +5 per step, in every counted step");
  EXPECT_THAT(findings[0].advice, HasSubstr("does an evaluation run without NoGradGuard?"));
  EXPECT_EQ(findings[0].boundary, "logging");
}

TEST(WorkLocation, NamesTheBoundaryOfHostCodeAndNotTheJitter) {
  SampleCase sample;
  sample.portable.counts_by_boundary["host_instructions_per_step"] = {{"forward", 40'000}, {"backward", 80'000}};
  sample.current.counts.by_boundary["host_instructions_per_step"] = {{"forward", 80'000}, {"backward", 80'040}};
  sample.red("host_instructions_per_step");
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "host instructions: forward +10 000 per step");
  EXPECT_THAT(findings[0].advice, HasSubstr("plain C++"));
}

TEST(WorkLocation, AnImprovementIsANote) {
  SampleCase sample;
  sample.current.counts.by_boundary["allocations_per_step"]["forward"] = 12;
  sample.judged("allocations_per_step", Status::improved);
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "work-removed");
  EXPECT_EQ(findings[0].severity, Severity::note);
}

}  // namespace
}  // namespace stepgate
