#include "report/text/leading_label.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

RunReport report_of_metrics(const std::vector<std::string>& metrics) {
  RunReport report;
  for (const std::string& metric : metrics) {
    report.outcomes.emplace_back();
    report.outcomes.back().verdict.metrics.emplace_back().metric = metric;
  }
  return report;
}

TEST(LeadingLabel, SaysWhatTheTimesOfATableAre) {
  EXPECT_EQ(leading_label(report_of_metrics({"step_time_ns"})), "step time");
  EXPECT_EQ(leading_label(report_of_metrics({"latency_mean_ns", "latency_mean_ns"})), "mean latency");
  EXPECT_EQ(leading_label(report_of_metrics({"latency_mean_ns", "step_time_ns"})), "step time or latency");
  EXPECT_EQ(leading_label(report_of_metrics({"operators_per_step"})), "step time");
}

}  // namespace
}  // namespace stepgate
