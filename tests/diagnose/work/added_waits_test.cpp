#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "core/record/wait_metric.h"
#include "diagnose/diagnose.h"
#include "diagnose/observed_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string waits_metric(would_sync_per_step);

/// One call more a step in `boundary`, which the base does not have.
void add_wait(SampleCase& sample, const std::string& boundary, const std::string& name) {
  auto& steps = sample.current.counts.per_step[waits_metric];
  if (steps.empty()) steps = sample.portable.exact[waits_metric] = {0, 0, 0, 0};
  for (std::int64_t& step : steps) ++step;
  sample.portable.device_calls[waits_metric];
  sample.current.counts.by_boundary[waits_metric][boundary] += 4;
  sample.current.counts.device_calls[waits_metric][boundary][name] += 4;
  sample.red(waits_metric);
}

void add_operator(SampleCase& sample, const std::string& boundary, const std::string& name, std::int64_t calls = 1) {
  sample.current.counts.operators[boundary][name] = 4 * calls;
  sample.red("operators_per_step");
}

std::vector<std::string> cause_codes(const SampleCase& sample) {
  std::vector<std::string> codes;
  for (const Finding& finding : diagnose(sample.input())) {
    if (finding.severity == Severity::cause) codes.emplace_back(name_of(finding.code));
  }
  return codes;
}

TEST(AddedWaits, NameTheOperatorItsLineAndWhatToUseInItsPlace) {
  SampleCase sample;
  add_wait(sample, "forward", "aten::nonzero");
  add_wait(sample, "backward", "aten::nonzero");
  observe(sample, {"forward", "aten::nonzero", {"Net::forward", "net.cpp", 12}}, 1);
  const auto findings = explain_added_waits(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "would-be syncs: forward +1 aten::nonzero at net.cpp:12 in Net::forward; backward +1 aten::nonzero per "
            "step, in every counted step");
  EXPECT_EQ(name_of(findings[0].code), "would-sync-added");
  EXPECT_EQ(findings[0].boundary, "forward");
  EXPECT_THAT(findings[0].advice, HasSubstr("torch::where(mask, a, b) or masked_fill()"));
}

TEST(AddedWaits, AdviseOnOperatorsWithoutAWordOfTheirOwnToo) {
  SampleCase sample;
  add_wait(sample, "forward", "aten::_unique2");
  EXPECT_THAT(explain_added_waits(sample.input())[0].advice, HasSubstr("sizes that do not depend on values"));
}

TEST(AddedWaits, NameTheBoundaryAloneWhereTheBaselineKnowsNoOperators) {
  SampleCase sample;
  add_wait(sample, "forward", "aten::nonzero");
  sample.portable.device_calls.clear();
  EXPECT_EQ(explain_added_waits(sample.input())[0].message,
            "would-be syncs: forward +1 per step, in every counted step");
}

TEST(AddedWaits, SayNothingWhereTheMetricIsNotRed) {
  SampleCase sample;
  add_wait(sample, "forward", "aten::nonzero");
  sample.verdict.metrics.clear();
  sample.judged(waits_metric, Status::pass);
  EXPECT_THAT(explain_added_waits(sample.input()), IsEmpty());
}

TEST(AddedWaits, AreTheOneCauseOfAMaskAsIndex) {
  SampleCase sample;
  for (const char* name : {"aten::index", "aten::nonzero", "aten::sum"}) add_operator(sample, "forward", name);
  add_operator(sample, "backward", "aten::index_put_");
  add_wait(sample, "forward", "aten::nonzero");
  EXPECT_THAT(cause_codes(sample), ElementsAre("would-sync-added"));
}

TEST(AddedWaits, BelongToTheHostSyncWhereItemWasAdded) {
  SampleCase sample;
  add_operator(sample, "logging", "aten::item");
  add_operator(sample, "logging", "aten::_local_scalar_dense");
  sample.current.counts.by_boundary["host_syncs_per_step"]["logging"] += 4;
  sample.portable.exact["host_syncs_per_step"] = {0, 0, 0, 0};
  sample.current.counts.per_step["host_syncs_per_step"] = {1, 1, 1, 1};
  sample.red("host_syncs_per_step");
  add_wait(sample, "logging", "aten::item");
  EXPECT_THAT(cause_codes(sample), ElementsAre("host-sync-added"));
}

TEST(AddedWaits, TakeTheConversionOfACallOfCpu) {
  SampleCase sample;
  add_operator(sample, "forward", "aten::to");
  add_wait(sample, "forward", "aten::to");
  EXPECT_THAT(cause_codes(sample), ElementsAre("would-sync-added"));
}

TEST(AddedWaits, TakeTheLoopOfTheirOwnLineAndNoOther) {
  SampleCase sample;
  add_operator(sample, "forward", "aten::nonzero", 32);
  add_wait(sample, "forward", "aten::nonzero");
  EXPECT_THAT(cause_codes(sample), testing::UnorderedElementsAre("would-sync-added", "loop-instead-of-batch"))
      << "no line is known";
  observe(sample, {"forward", "aten::nonzero", {"Net::forward", "net.cpp", 12}}, 32);
  EXPECT_THAT(cause_codes(sample), ElementsAre("would-sync-added"));
}

TEST(AddedWaits, OfPrintingHaveTheLineOfTheConversionThatItMakes) {
  SampleCase sample;
  add_wait(sample, "logging", "at::print");
  observe(sample, {"logging", "aten::to", {"Net::log", "net.cpp", 40}}, 1);
  const auto findings = explain_added_waits(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("logging +1 at::print at net.cpp:40 in Net::log"));
  EXPECT_THAT(findings[0].advice, HasSubstr("print seldom"));
}

TEST(AddedWaits, ThatAreGoneAreANote) {
  SampleCase sample;
  add_wait(sample, "forward", "aten::nonzero");
  std::swap(sample.portable.exact[waits_metric], sample.current.counts.per_step[waits_metric]);
  sample.portable.counts_by_boundary[waits_metric] = {{"forward", 4}};
  sample.current.counts.by_boundary[waits_metric] = {{"forward", 0}};
  sample.verdict.metrics.clear();
  sample.judged(waits_metric, Status::improved);
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "work-removed");
}

}  // namespace
}  // namespace stepgate
