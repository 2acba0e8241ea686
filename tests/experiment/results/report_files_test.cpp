// Which skipped cases a report makes failures.
#include "experiment/results/report_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* cpu_case = "mine/mlp/tiny";
constexpr const char* on_gpu = "mine/mlp/two";

Project project_with(bool require_baseline, bool require_gpu) {
  Project project;
  project.manifest.cases = {{.name = cpu_case, .suite = "mine", .program = "train", .device = Device::cpu},
                            {.name = on_gpu, .suite = "mine", .program = "train", .device = Device::cuda, .gpus = 2}};
  project.require_baseline = require_baseline;
  project.require_gpu = require_gpu;
  return project;
}

CaseVerdict reported(const Project& project, const std::string& name, const std::string& reason = "unavailable") {
  Outcome outcome;
  outcome.verdict.case_name = name;
  outcome.verdict.status = Status::skipped;
  outcome.verdict.reason = VerdictReason::named(reason);
  outcome.verdict.detail = "needs 2 GPUs";
  outcome.failures = {{FailureKind::too_few_gpus, "needs 2 GPUs", ""}};
  const RunReport report = report_of(project, {outcome});
  EXPECT_EQ(report.outcomes.front().failures.front().message, report.outcomes.front().verdict.detail);
  return report.outcomes.front().verdict;
}

TEST(ReportOf, NoSkippedCaseIsGreenWhereAGpuIsRequired) {
  const Project project = project_with(false, true);
  for (const char* reason : {"unavailable", "too-few-gpus", "gpu-too-small"}) {
    const CaseVerdict verdict = reported(project, on_gpu, reason);
    EXPECT_EQ(verdict.status, Status::failed) << reason;
    EXPECT_EQ(name_of(verdict.reason), reason);
    EXPECT_THAT(verdict.detail, HasSubstr("needs 2 GPUs; --require-gpu allows no skipped case"));
    EXPECT_THAT(verdict.detail, HasSubstr("--may-skip"));
  }
  EXPECT_EQ(reported(project, cpu_case).status, Status::failed);
}

TEST(ReportOf, WhereABaselineIsRequiredOnlyCasesForAGpuMayBeSkipped) {
  const Project project = project_with(true, false);
  EXPECT_EQ(reported(project, cpu_case).status, Status::failed);
  EXPECT_THAT(reported(project, cpu_case).detail, HasSubstr("--require-baseline allows no skipped CPU case"));
  EXPECT_EQ(reported(project, on_gpu).status, Status::skipped);
}

TEST(ReportOf, WhatMayBeSkippedStaysSkipped) {
  Project project = project_with(true, true);
  project.may_skip = {on_gpu};
  EXPECT_EQ(reported(project, on_gpu, "too-few-gpus").status, Status::skipped);
  EXPECT_EQ(reported(project, on_gpu, "too-few-gpus").detail, "needs 2 GPUs");
  EXPECT_EQ(reported(project, cpu_case).status, Status::failed);
}

TEST(ReportOf, NothingIsRequiredByDefault) {
  EXPECT_EQ(reported(project_with(false, false), cpu_case).status, Status::skipped);
  EXPECT_EQ(reported(project_with(false, false), on_gpu).status, Status::skipped);
}

}  // namespace
}  // namespace stepgate
