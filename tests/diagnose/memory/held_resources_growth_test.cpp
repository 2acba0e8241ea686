#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/catalogue/held_metrics.h"
#include "core/metric.h"
#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(HeldResourcesGrowth, NamesTheBoundaryTheKindAndAnExample) {
  SampleCase sample;
  sample.current.bytes["descriptors_growth_per_step"] = {1, 1};
  sample.current.rises["descriptors"] = {
      .by_boundary = {{"data_wait", -1}, {"logging", 13}}, .kind = "deleted file", .example = "/tmp/part (deleted)"};
  sample.red("descriptors_growth_per_step");
  const auto findings = explain_held_resources(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "resource-grew");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].boundary, "logging");
  EXPECT_EQ(findings[0].message,
            "new descriptors: 1 in each step (0 before), in logging (deleted file, such as /tmp/part (deleted))");
  EXPECT_THAT(findings[0].advice, HasSubstr("close"));
}

TEST(HeldResourcesGrowth, NamesNoBoundaryWhereNoneHasHalfOfTheRise) {
  SampleCase sample;
  sample.current.bytes["mapped_growth_bytes_per_step"] = {1'048'576};
  sample.current.rises["mapped_bytes"] = {
      .by_boundary = {{"data_wait", 5}, {"forward", 4}, {"logging", 4}}, .kind = "anonymous memory", .example = ""};
  const auto findings = explain_held_resources(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning) << "nothing is red";
  EXPECT_EQ(findings[0].boundary, "");
  EXPECT_EQ(findings[0].message,
            "growth of mapped memory: 1 048 576 B in each step (0 B before), in several boundaries (anonymous memory)");
}

TEST(HeldResourcesGrowth, NumberAndBytesOfTheSameFilesAreOneFinding) {
  SampleCase sample;
  sample.current.bytes["temporary_files_growth_per_step"] = {1};
  sample.current.bytes["temporary_growth_bytes_per_step"] = {1 << 20};
  for (const char* series : {"temporary_files", "temporary_bytes"})
    sample.current.rises[series] = {.by_boundary = {{"data_wait", 12}}, .kind = "", .example = "batch-3"};
  sample.red("temporary_files_growth_per_step");
  sample.red("temporary_growth_bytes_per_step");
  const auto findings = explain_held_resources(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("in data_wait (such as batch-3)"));
  EXPECT_THAT(findings[0].also, ElementsAre("temporary_growth_bytes_per_step"));
}

TEST(HeldResourcesGrowth, FilesOfTheWorkingFolderMayBeOfOthers) {
  SampleCase sample;
  sample.current.bytes["temporary_growth_bytes_per_step"] = {1 << 20};
  sample.current.bytes["working_files_growth_per_step"] = {1};
  const auto findings = explain_held_resources(sample.input());
  ASSERT_EQ(findings.size(), 2U) << "files of two folders are two faults";
  EXPECT_THAT(findings[0].advice, Not(HasSubstr("another program"))) << "its TMPDIR is its own";
  EXPECT_THAT(findings[1].advice, HasSubstr("If the example is a file of another program"));
}

TEST(HeldResourcesGrowth, AnAcceptedGrowthIsNoFinding) {
  SampleCase sample;
  sample.portable.bytes["working_files_growth_per_step"] = {1};
  sample.current.bytes["working_files_growth_per_step"] = {1};
  sample.current.bytes["threads_growth_per_step"] = {0};
  EXPECT_THAT(explain_held_resources(sample.input()), IsEmpty());
}

TEST(HeldMetrics, AreJudgedFromZeroAndAllButSharedMemoryGate) {
  for (const Metric& metric : catalogue::held_metrics) {
    EXPECT_EQ(metric.reference, Reference::zero) << metric.name;
    EXPECT_EQ(metric.gates, metric.series != "shared_bytes") << metric.name;
    EXPECT_FALSE(metric.advice.empty()) << metric.name;
    EXPECT_FALSE(metric.stores_zero) << metric.name;
    EXPECT_EQ(find_metric(metric.name)->series, metric.series);
  }
}

}  // namespace
}  // namespace stepgate
