#include "judge/libraries/library_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/kernels/launch_name.h"
#include "judge/example_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* sum_metric = "kernels_per_step";
constexpr const char* narrow_product = "aten::mm(float32[8, 64], float32[64, 4])";
constexpr const char* wider_product = "aten::mm(float32[8, 96], float32[96, 4])";

using CallNumbers = std::map<std::string, std::int64_t>;

/// A case on a GPU with 8 steps of 26 kernels on both sides, 20 of them own, and one call of a library.
ExampleCase split_case() {
  ExampleCase example = example_case();
  example.judge_timed = false;
  example.device = Device::cuda;
  Baseline baseline = example.portable;
  baseline.scope = Scope::device;
  const std::map<std::string, std::int64_t> figures = {
      {sum_metric, 26}, {std::string(own_kernels_metric), 20}, {std::string(library_calls_metric), 1}};
  for (const auto& [metric, value] : figures) {
    const std::vector<std::int64_t> steps(8, value);
    baseline.exact[metric] = steps;
    example.values.exact[metric] = {steps, steps};
    example.values.counts.per_step[metric] = steps;
  }
  baseline.device_calls[std::string(library_calls_metric)]["forward"] = CallNumbers{{narrow_product, 8}};
  example.values.counts.device_calls = baseline.device_calls;
  example.device_exact = baseline;
  return example;
}

CallNumbers& library_calls_in(ExampleCase& example, const std::string& boundary) {
  return example.values.counts.device_calls[std::string(library_calls_metric)][boundary];
}

void set_measured(ExampleCase& example, const std::string& metric, std::int64_t value) {
  const std::vector<std::int64_t> steps(8, value);
  example.values.exact[metric] = {steps, steps};
  example.values.counts.per_step[metric] = steps;
}

TEST(LibraryShapes, TheSumIsJudgedWhereTheLibrariesAreAskedForTheSame) {
  ExampleCase example = split_case();
  EXPECT_EQ(verdict_on(example.judge(), sum_metric).status, Status::pass);
  set_measured(example, sum_metric, 27);
  EXPECT_EQ(verdict_on(example.judge(), sum_metric).status, Status::regressed);
  EXPECT_EQ(example.judge().status, Status::regressed);
}

TEST(LibraryShapes, ACallThatMovedToAnotherBoundaryAsksForTheSame) {
  ExampleCase example = split_case();
  library_calls_in(example, "forward").clear();
  library_calls_in(example, "backward") = {{narrow_product, 8}};
  set_measured(example, sum_metric, 27);
  EXPECT_EQ(verdict_on(example.judge(), sum_metric).status, Status::regressed);
}

TEST(LibraryShapes, TheSumIsNotJudgedWhereTheShapesDiffer) {
  for (const std::int64_t kernels : {25, 26, 29}) {
    ExampleCase example = split_case();
    library_calls_in(example, "forward") = {{wider_product, 8}};
    set_measured(example, sum_metric, kernels);
    const MetricVerdict verdict = verdict_on(example.judge(), sum_metric);
    EXPECT_EQ(verdict.status, Status::not_judged) << kernels;
    EXPECT_EQ(name_of(verdict.reason), "library-shapes-differ");
    EXPECT_THAT(verdict.detail, HasSubstr("-8 aten::mm(float32[8, 64], float32[64, 4]), +8 aten::mm(float32[8, 96], "
                                          "float32[96, 4])"));
    EXPECT_EQ(verdict.current, static_cast<double>(kernels)) << "the figures stay";
  }
}

TEST(LibraryShapes, WhatWasNotJudgedIsNamedInTheCase) {
  ExampleCase example = split_case();
  library_calls_in(example, "forward") = {{wider_product, 8}};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_THAT(verdict.detail, HasSubstr("not judged, since the shapes of library calls differ: kernels_per_step"));
}

/// What the code itself decides gates whatever the libraries do.
TEST(LibraryShapes, OwnKernelsAndLibraryCallsGateAtOtherShapesToo) {
  for (const std::string_view metric : {own_kernels_metric, library_calls_metric}) {
    ExampleCase example = split_case();
    library_calls_in(example, "forward") = {{wider_product, 8}};
    set_measured(example, std::string(metric), 21);
    EXPECT_EQ(verdict_on(example.judge(), std::string(metric)).status, Status::regressed) << metric;
    EXPECT_EQ(example.judge().status, Status::regressed) << metric;
  }
}

TEST(LibraryShapes, NamesAFewChangesOfMany) {
  ExampleCase example = split_case();
  library_calls_in(example, "forward") = {{"aten::a()", 1}, {"aten::b()", 2}, {"aten::c()", 3}};
  EXPECT_THAT(verdict_on(example.judge(), sum_metric).detail, HasSubstr("+1 aten::a(), +2 aten::b() (and 2 more)"));
}

/// As an older version wrote it.
TEST(LibraryShapes, ASideThatDoesNotKnowItsCallsIsJudgedAsBefore) {
  ExampleCase example = split_case();
  for (const std::string_view metric : {own_kernels_metric, library_calls_metric}) {
    example.device_exact->exact.erase(std::string(metric));
  }
  example.device_exact->device_calls.clear();
  EXPECT_EQ(verdict_on(example.judge(), sum_metric).status, Status::pass);
  EXPECT_EQ(name_of(verdict_on(example.judge(), std::string(own_kernels_metric)).reason), "new-metric");
  set_measured(example, sum_metric, 27);
  EXPECT_EQ(verdict_on(example.judge(), sum_metric).status, Status::regressed);
}

TEST(LibraryShapes, ASideWithoutLibraryCallsKnowsThatItHasNone) {
  ExampleCase example = split_case();
  example.device_exact->exact[std::string(library_calls_metric)] = std::vector<std::int64_t>(8, 0);
  example.device_exact->device_calls.clear();
  EXPECT_EQ(verdict_on(example.judge(), sum_metric).status, Status::not_judged);
}

TEST(LibraryShapes, LeavesADisagreementOfProcessesAsItIs) {
  ExampleCase example = split_case();
  library_calls_in(example, "forward") = {{wider_product, 8}};
  example.values.exact[sum_metric] = {std::vector<std::int64_t>(8, 26), std::vector<std::int64_t>(8, 27)};
  EXPECT_EQ(name_of(verdict_on(example.judge(), sum_metric).reason), "replicates-disagree");
}

}  // namespace
}  // namespace stepgate
