// Which emulated GPU a report is of, and the name under which other tools keep its values.
#include "core/judged/emulated_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

Outcome outcome_on(const std::string& gpu) {
  Outcome outcome;
  outcome.verdict.case_name = "vision/mlp/tiny";
  if (!gpu.empty()) outcome.fingerprint = {{"gpu", gpu}};
  return outcome;
}

TEST(EmulatedResult, ARunnerClassNamesIt) {
  RunReport report;
  report.runner_class = "emulated-a100";
  EXPECT_EQ(emulated_gpu_of(report), "emulated A100");
}

TEST(EmulatedResult, ACaseNamesItWhereTheClassDoesNot) {
  RunReport report;
  report.runner_class = "local";
  EXPECT_EQ(emulated_gpu_of(report), "");
  EXPECT_EQ(emulated_sentence(report), "");
  report.outcomes = {outcome_on("NVIDIA H200"), outcome_on("emulated T4, model 1")};
  EXPECT_EQ(emulated_gpu_of(report), "emulated T4");
  EXPECT_THAT(emulated_sentence(report), testing::HasSubstr(std::string(emulated_green_page)));
}

TEST(EmulatedResult, OtherToolsKeepItsValuesApart) {
  EXPECT_EQ(exported_case_name({}, outcome_on("emulated H100, model 1")), "vision/mlp/tiny (emulated H100)");
  EXPECT_EQ(exported_case_name({}, outcome_on("emulated H100, model 1, values")),
            "vision/mlp/tiny (emulated H100 with values)")
      << "a case may go other ways with values";
  EXPECT_EQ(exported_case_name({}, outcome_on("NVIDIA H200")), "vision/mlp/tiny");
  EXPECT_EQ(exported_case_name({}, outcome_on("")), "vision/mlp/tiny");
  RunReport report;
  report.runner_class = "emulated-h100";
  EXPECT_EQ(exported_case_name(report, outcome_on("")), "vision/mlp/tiny (emulated H100)") << "its processes failed";
}

}  // namespace
}  // namespace stepgate
