#include "report/ci/ctest_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/golden.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CtestReportGolden, Regressed) {
  expect_golden("report/ctest_measurements.txt", render_ctest_measurements(regressed_timed()));
}

TEST(CtestReport, WritesOneElementPerLine) {
  EXPECT_THAT(render_ctest_measurements(regressed_exact()),
              HasSubstr("<CTestMeasurement type=\"numeric/double\" name=\"peak_allocated_bytes\">1310724"
                        "</CTestMeasurement>\n"));
}

TEST(CtestReport, LeavesOutWhatIsNotFinite) {
  Outcome outcome = regressed_exact();
  outcome.verdict.metrics.front().current = std::nan("");
  EXPECT_THAT(render_ctest_measurements(outcome), Not(HasSubstr("nan")));
  EXPECT_THAT(render_ctest_measurements(outcome), Not(HasSubstr("name=\"operators_per_step\"")));
}

TEST(CtestReport, KeepsHostileNamesInsideTheElement) {
  const std::string text = render_ctest_measurements(hostile_case());
  EXPECT_THAT(text, HasSubstr("&lt;b"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace stepgate
