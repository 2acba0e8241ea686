#include "report/baselines/lint_report.h"

#include <gtest/gtest.h>

#include "support/golden.h"

namespace stepgate {
namespace {

TEST(LintReportGolden, Problems) {
  const std::vector<LintProblem> problems = {
      {"baselines/portable/a/b.json", 12, "conflict-markers", "unresolved conflict markers of a merge",
       "take one whole side"},
      {"baselines/x.json", std::nullopt, "stray-file", "not a\nbaseline\x1b", ""}};
  expect_golden("report/lint.txt", render_lint(problems, 3));
}

TEST(LintReport, SaysHowManyFilesWereChecked) { EXPECT_EQ(render_lint({}, 1), "no problems in 1 baseline file\n"); }

}  // namespace
}  // namespace stepgate
