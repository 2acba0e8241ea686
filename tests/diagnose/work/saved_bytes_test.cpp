#include "diagnose/work/saved_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/observed_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kept_metric(saved_bytes_per_step);

/// 1000 bytes saved by aten::mm before, and `more` by aten::mul now, per step.
SampleCase saving_more(std::int64_t more) {
  SampleCase sample;
  sample.portable.exact[kept_metric] = {1000, 1000, 1000, 1000};
  sample.portable.counts_by_boundary[kept_metric] = {{"forward", 4000}};
  sample.portable.device_calls[kept_metric] = {{"forward", {{"aten::mm", 4000}}}};
  sample.current.counts.per_step[kept_metric] = std::vector<std::int64_t>(4, 1000 + more);
  sample.current.counts.by_boundary[kept_metric] = {{"forward", 4000 + 4 * more}};
  sample.current.counts.device_calls[kept_metric] = {{"forward", {{"aten::mm", 4000}, {"aten::mul", 4 * more}}}};
  return sample;
}

TEST(SavedBytes, NameTheOperatorThatSavesMoreAndItsLine) {
  SampleCase sample = saving_more(2048);
  sample.red(kept_metric);
  observe(sample, {"forward", "aten::mul", {"Net::forward", "net.cpp", 12}}, 1);
  const auto findings = explain_saved_bytes(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "saved for backward: forward +2 048 B per step: +2 048 B by aten::mul at net.cpp:12 in Net::forward");
  EXPECT_EQ(name_of(findings[0].code), "saved-bytes-grew");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].advice, HasSubstr("checkpoint"));
}

TEST(SavedBytes, NameTheBoundaryAloneWhereTheBaselineKnowsNoOperators) {
  SampleCase sample = saving_more(2048);
  sample.red(kept_metric);
  sample.portable.device_calls.clear();
  EXPECT_EQ(explain_saved_bytes(sample.input())[0].message, "saved for backward: forward +2 048 B per step");
}

TEST(SavedBytes, NoteThatLessIsSaved) {
  SampleCase sample = saving_more(-400);
  sample.current.counts.device_calls[kept_metric] = {{"forward", {{"aten::mm", 2400}}}};
  sample.judged(kept_metric, Status::improved);
  const auto findings = explain_saved_bytes(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::note);
  EXPECT_THAT(findings[0].message, HasSubstr("-400 B by aten::mm"));
}

TEST(SavedBytes, SayNothingOfAMetricThatDidNotMove) {
  EXPECT_THAT(explain_saved_bytes(saving_more(0).input()), IsEmpty());
  SampleCase green = saving_more(8);
  green.judged(kept_metric, Status::pass);
  EXPECT_THAT(explain_saved_bytes(green.input()), IsEmpty());
}

TEST(SavedBytes, AreTheOnlyCauseWhereNoOperatorWasAdded) {
  SampleCase sample = saving_more(2048);
  sample.red(kept_metric);
  std::vector<std::string> causes;
  for (const Finding& finding : diagnose(sample.input())) {
    if (finding.severity == Severity::cause) causes.emplace_back(name_of(finding.code));
  }
  EXPECT_THAT(causes, ElementsAre("saved-bytes-grew"));
}

TEST(SavedBytes, ArePartOfAGraphThatIsRecordedMore) {
  SampleCase sample = saving_more(2048);
  sample.red(kept_metric);
  sample.portable.exact["autograd_nodes_per_step"] = {7, 7, 7, 7};
  sample.portable.counts_by_boundary["autograd_nodes_per_step"] = {{"forward", 28}};
  sample.current.counts.per_step["autograd_nodes_per_step"] = {12, 12, 12, 12};
  sample.current.counts.by_boundary["autograd_nodes_per_step"] = {{"forward", 48}};
  sample.red("autograd_nodes_per_step");
  std::vector<std::string> causes;
  for (const Finding& finding : diagnose(sample.input())) {
    if (finding.severity == Severity::cause) causes.push_back(finding.metric);
  }
  EXPECT_THAT(causes, ElementsAre("autograd_nodes_per_step"));
}

TEST(SavedBytes, ArePartOfTheOperatorThatWasAddedInTheirBoundary) {
  SampleCase sample = saving_more(2048);
  sample.red(kept_metric);
  sample.current.counts.operators["forward"]["aten::mul"] = 4;
  sample.current.counts.per_step["operators_per_step"] = {21, 21, 21, 21};
  sample.red("operators_per_step");
  std::vector<std::string> causes;
  std::vector<std::string> also;
  for (const Finding& finding : diagnose(sample.input())) {
    if (finding.severity != Severity::cause) continue;
    causes.emplace_back(name_of(finding.code));
    also = finding.also;
  }
  EXPECT_THAT(causes, ElementsAre("operator-added"));
  EXPECT_THAT(also, testing::Contains(kept_metric));
}

}  // namespace
}  // namespace stepgate
