#include "report/ci/github_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "support/golden.h"
#include "support/sample_reports.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text, const std::string& start) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(start)) lines.push_back(line);
  }
  return lines;
}

TEST(GithubReportGolden, EveryStatus) { expect_golden("report/github.txt", render_github(every_status(), {})); }

TEST(GithubReport, ARedPointsAtTheLineOfItsBaseline) {
  const std::string text = render_github(report_of({regressed_timed()}), {});
  EXPECT_THAT(text, StartsWith("::error file=baselines/h200-16c/vision/resnet/small_batch.json,line=57,title="
                               "vision/resnet/small_batch (timed)%3A step time REGRESSED::step time: 14.3 ms -> 18.6 "
                               "ms, +30.1 %25 [+28.7 %25, +31.3 %25], limit +1.0 %25%0A"));
  EXPECT_THAT(text, HasSubstr("%0Acause: forward +4.10 ms"));
}

TEST(GithubReport, OutsideTheRepositoryThereIsNoFileToPointAt) {
  for (const char* path : {"/srv/baselines/a.json", "../a.json", "baselines/../../a.json", ""}) {
    RunReport report = report_of({regressed_timed()});
    report.outcomes[0].backgrounds[0].baseline_path = path;
    EXPECT_THAT(render_github(report, {}), Not(HasSubstr("file="))) << path;
  }
}

TEST(GithubReport, KindFollowsTheStatus) {
  EXPECT_THAT(render_github(report_of({failed_case()}), {}), StartsWith("::error "));
  EXPECT_THAT(render_github(report_of({inconclusive_case()}), {}), StartsWith("::warning "));
  EXPECT_THAT(render_github(report_of({no_baseline_case()}), {}), StartsWith("::warning "));
  EXPECT_THAT(render_github(report_of({improved_case()}), {}), StartsWith("::notice "));
  EXPECT_EQ(render_github(report_of({passing_exact(), skipped_case()}), {}), "");
}

TEST(GithubReport, BeyondTenTheLastOneNamesTheRest) {
  RunReport report = report_of(std::vector<Outcome>(25, regressed_timed()));
  report.outcomes.back().verdict.case_name = "vision/last/one";
  const auto errors = lines_of(render_github(report, {}), "::error ");
  ASSERT_EQ(errors.size(), 10U);
  EXPECT_THAT(errors.back(), StartsWith("::error title=16 more::"));
  EXPECT_THAT(errors.back(), HasSubstr("vision/last/one"));
  EXPECT_EQ(lines_of(render_github(report_of(std::vector<Outcome>(10, regressed_timed())), {}), "::error ").size(),
            10U);
}

TEST(GithubReport, HostileTextIsOneCommandALine) {
  RunReport report = report_of({hostile_markup_case()});
  report.missing_cases = {hostile_markup()};
  const std::string text = render_github(report, {});
  const auto commands = lines_of(text, "::error ");
  EXPECT_EQ(commands.size(), 2U);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find_first_of("\r\x1b\x07"), std::string::npos);
}

}  // namespace
}  // namespace stepgate
