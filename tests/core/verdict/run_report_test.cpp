#include "core/verdict/run_report.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

RunReport report_of(std::initializer_list<Status> statuses) {
  RunReport report;
  for (const Status status : statuses) report.outcomes.emplace_back().verdict.status = status;
  return report;
}

TEST(SuiteStatus, IsTheWorstOfItsCases) {
  EXPECT_EQ(suite_status(report_of({Status::pass, Status::regressed, Status::no_baseline})), Status::regressed);
  EXPECT_EQ(suite_status(report_of({Status::pass, Status::improved})), Status::improved);
  EXPECT_EQ(suite_status(report_of({Status::skipped})), Status::skipped);
  for (std::size_t i = 1; i < case_statuses.size(); ++i) {
    EXPECT_EQ(suite_status(report_of({case_statuses[i], case_statuses[i - 1]})), case_statuses[i - 1])
        << name_of(case_statuses[i]);
  }
}

TEST(SuiteStatus, IsFailedWhereNothingWasMeasuredOrACaseIsMissing) {
  EXPECT_EQ(suite_status({}), Status::failed);
  RunReport report = report_of({Status::pass});
  report.missing_cases = {"vision/resnet/tiny"};
  EXPECT_EQ(suite_status(report), Status::failed);
}

TEST(SuiteStatus, IsAtLeastRegressedWhereALimitIsLoosenedWithoutTheConsentThatTheBaseAsksFor) {
  RunReport report = report_of({Status::pass, Status::skipped});
  report.limits = LimitReview{};
  report.limits->changes = {{.move = LimitMove::loosened}};
  EXPECT_EQ(exit_status(report), 77);
  report.limits->changes[0].needs_consent = true;
  EXPECT_EQ(exit_status(report), 1);
  report.limits->allowed_by = "jane";
  EXPECT_EQ(exit_status(report), 77);
  report = report_of({Status::failed});
  report.limits = LimitReview{.base_commit = "", .changes = {{.needs_consent = true}}};
  EXPECT_EQ(exit_status(report), 3);
}

TEST(ExitStatus, OfASuiteWithASkippedCaseIsNeverGreen) {
  EXPECT_EQ(exit_status(report_of({Status::pass, Status::skipped, Status::improved})), 77);
  EXPECT_EQ(exit_status(report_of({Status::skipped, Status::skipped})), 77);
  EXPECT_EQ(exit_status(report_of({Status::pass, Status::improved})), 0);
}

TEST(ExitStatus, OfASuiteFollowsItsOrder) {
  EXPECT_EQ(exit_status(report_of({Status::skipped, Status::no_baseline})), 5);
  EXPECT_EQ(exit_status(report_of({Status::no_baseline, Status::inconclusive})), 4);
  EXPECT_EQ(exit_status(report_of({Status::inconclusive, Status::regressed})), 1);
  EXPECT_EQ(exit_status(report_of({Status::regressed, Status::failed})), 3);
}

TEST(Status, HasANameThatIsReadBack) {
  for (const Status status : case_statuses) EXPECT_EQ(status_named(name_of(status)), status);
  EXPECT_EQ(status_named(name_of(Status::not_judged)), Status::not_judged);
  EXPECT_EQ(name_of(Status::skipped), "skipped");
  EXPECT_EQ(name_of(Status::pass), "pass");
}

}  // namespace
}  // namespace stepgate
