#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

MetricVerdict& over_budget(SampleCase& sample, const std::string& metric, double current) {
  MetricVerdict& verdict = sample.red(metric);
  verdict.reason = ReasonCode::over_budget;
  verdict.current = current;
  verdict.limit = "budget 4000 bytes";
  return verdict;
}

TEST(BudgetFinding, TellsWhatThePeakIsMadeOfAndWhereItIs) {
  SampleCase sample;
  over_budget(sample, "peak_allocated_bytes", 4096);
  sample.current.ledger = MemoryLedger{
      .peak_bytes = 4096,
      .boundary = "backward",
      .bytes = {{"activations", 2048}, {"inputs", 40}, {"parameters", 1024}, {"setup", 8}, {"gradients", 976}}};
  const auto findings = explain_budgets(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].message,
            "peak allocated: 4.00 KiB is over the budget 4000 bytes; at the peak, in backward: activations 50 %, "
            "parameters 25 %, gradients 24 %");
  EXPECT_THAT(findings[0].advice, HasSubstr("budgets.peak_allocated_bytes"));
}

TEST(BudgetFinding, SaysNothingAboutMemoryWhereTimeIsOver) {
  SampleCase sample;
  over_budget(sample, "step_time_ns", 5e6).limit = "budget 4 ms";
  sample.current.ledger = MemoryLedger{.peak_bytes = 4096, .boundary = "backward", .bytes = {{"activations", 2048}}};
  EXPECT_EQ(explain_budgets(sample.input())[0].message, "step time: 5.00 ms is over the budget 4 ms");
}

TEST(BudgetFinding, AnOrdinaryRedIsNone) {
  SampleCase sample;
  sample.red("peak_allocated_bytes");
  EXPECT_THAT(explain_budgets(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
