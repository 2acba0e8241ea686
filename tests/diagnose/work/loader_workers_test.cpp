#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SampleCase with_workers() {
  SampleCase sample;
  sample.current.counts.worker_operators = {
      {"aten::cat", 8}, {"aten::empty", 40}, {"aten::randint", 2}, {"aten::stack", 16}};
  return sample;
}

TEST(LoaderWorkers, SaysNothingWhereAllOperatorsAreTheSteps) {
  EXPECT_THAT(explain_loader_workers(SampleCase().input()), IsEmpty());
}

TEST(LoaderWorkers, NamesTheOperatorsAndTheRemedy) {
  const auto findings = explain_loader_workers(with_workers().input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "workers-in-exact-passes");
  EXPECT_EQ(findings[0].severity, Severity::note) << "all counts are equal";
  EXPECT_THAT(findings[0].message, HasSubstr("4 aten::stack, 2 aten::cat, 0.5 aten::randint (and 1 more) per step"));
  EXPECT_THAT(findings[0].message, HasSubstr("differs from run to run"));
  EXPECT_THAT(findings[0].advice, HasSubstr("where context.synchronous_loader is true, start no loader workers"));
}

TEST(LoaderWorkers, AreAWarningWhereProcessesCountDifferently) {
  SampleCase sample = with_workers();
  sample.current.exact["operators_per_step"] = {{20, 20}, {20, 22}};
  EXPECT_EQ(explain_loader_workers(sample.input()).front().severity, Severity::warning);
}

TEST(LoaderWorkers, AreTheFirstCauseOfARedCount) {
  SampleCase sample = with_workers();
  sample.current.counts.operators["forward"]["aten::stack"] = 16;
  sample.red("operators_per_step");
  sample.red("allocations_per_step");
  const auto findings = diagnose(sample.input());
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(name_of(findings.front().code), "workers-in-exact-passes");
  EXPECT_EQ(findings.front().severity, Severity::cause);
  EXPECT_THAT(findings.front().also, ElementsAre("operators_per_step", "allocations_per_step"));
}

TEST(LoaderWorkers, AreNoCauseOfTimes) {
  SampleCase sample = with_workers();
  sample.red("step_time_ns");
  EXPECT_EQ(explain_loader_workers(sample.input()).front().severity, Severity::note);
}

}  // namespace
}  // namespace stepgate
