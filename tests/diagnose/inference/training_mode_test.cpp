#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/inference/recording_lines.h"
#include "diagnose/questions_of_inference.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

SampleCase inferring_sample() {
  SampleCase sample;
  sample.current.inference =
      InferenceFacts{.answers = 40, .graph_answers = 0, .training_modules = std::vector<TrainingModule>{}};
  return sample;
}

/// A site of boundary infer; its stack goes from the innermost line outwards to the call in infer().
void add_inferring_site(ObservedWork& work, const char* name, std::int64_t line, std::int64_t saved_bytes) {
  work.steps = 4;
  work.places.push_back({{static_cast<std::uint64_t>(line)},
                         {{"Net::forward", "vision/net.cpp", line}, {"Server::infer", "vision/server.cpp", 61}}});
  OperatorSite site{.boundary = "infer", .name = name};
  site.place = work.places.size() - 1;
  site.calls = 4;
  site.saved_bytes = saved_bytes;
  work.sites.push_back(site);
}

TEST(TrainingMode, OfATrainingCaseNothingIsSaid) {
  SampleCase sample;
  EXPECT_TRUE(explain_training_mode(sample.input()).empty());
  EXPECT_TRUE(explain_recorded_graph(sample.input()).empty());
  EXPECT_TRUE(explain_training_mode(inferring_sample().input()).empty());
  EXPECT_TRUE(explain_recorded_graph(inferring_sample().input()).empty());
}

TEST(TrainingMode, NamesTheModulesAndTheirLines) {
  SampleCase sample = inferring_sample();
  sample.current.inference->training_modules =
      std::vector<TrainingModule>{{"norm", "BatchNorm2d"}, {"layers.0.drop", "Dropout"}};
  ObservedWork work;
  add_inferring_site(work, "aten::dropout", 30, 0);
  work.sites.back().arguments = {"0.1", "True"};
  add_inferring_site(work, "aten::batch_norm", 31, 0);
  work.sites.back().arguments = {"False", "0.1"};
  sample.current.counts.observed = work;
  sample.red("training_modules");
  const auto findings = explain_training_mode(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, FindingCode::train_mode_left_on);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(
      findings[0].message,
      "infer: 2 modules compute in train mode: norm (BatchNorm2d), layers.0.drop (Dropout) at vision/net.cpp:30 in "
      "Net::forward");
  ASSERT_EQ(findings[0].sources.size(), 1U);
  EXPECT_EQ(findings[0].sources[0].line, 30);
}

TEST(TrainingMode, IsAWarningWhereTheBaselineHasItToo) {
  SampleCase sample = inferring_sample();
  sample.current.inference->training_modules =
      std::vector<TrainingModule>{{"a", "Dropout"}, {"b", "Dropout"}, {"c", "Dropout"}, {"d", "Dropout"}};
  const auto findings = explain_training_mode(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("c (Dropout) and 1 more"));
}

TEST(TrainingMode, AProgramThatDoesNotTellItsModulesIsNotAccused) {
  SampleCase sample = inferring_sample();
  sample.current.inference->training_modules.reset();
  EXPECT_TRUE(explain_training_mode(sample.input()).empty());
}

TEST(RecordedGraph, NamesTheCallBelowWhichAllOfItIsRecorded) {
  SampleCase sample = inferring_sample();
  sample.current.inference->graph_answers = 40;
  sample.current.counts.per_step["autograd_nodes_per_step"] = {12, 12, 12, 12};
  ObservedWork work;
  add_inferring_site(work, "aten::convolution", 20, 4096);
  add_inferring_site(work, "aten::addmm", 24, 1024);
  add_inferring_site(work, "aten::relu", 25, 0);
  sample.current.counts.observed = work;
  sample.red("autograd_nodes_per_step");
  const auto findings = explain_recorded_graph(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, FindingCode::grad_mode_left_on);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_EQ(findings[0].metric, "autograd_nodes_per_step");
  EXPECT_EQ(findings[0].message,
            "infer: each request records a graph that no backward runs, 12 autograd nodes; 40 of 40 answers hold their "
            "graph at vision/server.cpp:61 in Server::infer");
}

TEST(RecordedGraph, WithoutACommonCallTheLinesThatSaveAreNamed) {
  ObservedWork work;
  add_inferring_site(work, "aten::addmm", 24, 1024);
  add_inferring_site(work, "aten::convolution", 20, 4096);
  work.places.back().frames = {{"Other::forward", "vision/other.cpp", 9}};
  const auto lines = recording_lines(work);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].line, 9) << "it saves more";
  EXPECT_EQ(lines[1].line, 24);
  EXPECT_TRUE(recording_lines(ObservedWork{}).empty());
}

TEST(RecordedGraph, AnAnswerWithoutAGraphDoesNotHideIt) {
  SampleCase sample = inferring_sample();
  sample.current.counts.per_step["autograd_nodes_per_step"] = {3, 3};
  const auto findings = explain_recorded_graph(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::warning);
  EXPECT_THAT(findings[0].message, HasSubstr("3 autograd nodes; no answer holds it"));
}

}  // namespace
}  // namespace stepgate
