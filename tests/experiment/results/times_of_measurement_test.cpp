#include "experiment/results/times_of_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/fake_build.h"
#include "experiment/measure_cases.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

MetricVerdict valued(const std::string& metric, double current) {
  MetricVerdict verdict;
  verdict.metric = metric;
  verdict.current = current;
  return verdict;
}

Outcome with_rate(const Fingerprint& facts) {
  Outcome outcome;
  outcome.verdict.case_name = "toy/mlp/tiny";
  outcome.verdict.metrics.push_back(valued("tflop_per_s", 2.5));
  outcome.fingerprint = facts;
  return outcome;
}

TEST(StoredTimes, SayWhyThereIsNoMfu) {
  const MeasuredTimes on_cpu = stored_times(with_rate({{"device", "cpu"}, {"dtype", "float32"}}));
  EXPECT_EQ(on_cpu.tflop_per_s, 2.5);
  EXPECT_FALSE(on_cpu.mfu_ratio);
  EXPECT_THAT(on_cpu.why_no_mfu, HasSubstr("the peak of a CPU is not known"));
  const Fingerprint unknown = {{"device", "cuda"}, {"gpu", "NVIDIA Some Future GPU"}, {"dtype", "bfloat16"}};
  EXPECT_THAT(stored_times(with_rate(unknown)).why_no_mfu, HasSubstr("Some Future GPU is not known"));
}

TEST(StoredTimes, GiveNoReasonWhereThereIsAnMfuOrNoFlops) {
  Outcome outcome = with_rate({{"device", "cpu"}});
  outcome.verdict.metrics.push_back(valued("mfu_ratio", 0.25));
  EXPECT_EQ(stored_times(outcome).mfu_ratio, 0.25);
  EXPECT_EQ(stored_times(outcome).why_no_mfu, "");
  outcome.verdict.metrics.clear();
  EXPECT_EQ(stored_times(outcome).why_no_mfu, "");
}

TEST(TimesOfCases, AMeasurementWithoutAVerdictHasThemToo) {
  const FakeBuild build("good");
  Listener listener;
  const Project project = build.project();
  EXPECT_THAT(times_of_cases(project, project.manifest.cases, {}), testing::IsEmpty());
  measure_cases(project, {.measure = {.tier = TierChoice::timed}, .host = build.host()}, listener.caller());
  const std::vector<MeasuredTimes> times = times_of_cases(project, project.manifest.cases, {});
  ASSERT_EQ(times.size(), 1U);
  EXPECT_EQ(times[0].case_name, fake_case);
  EXPECT_FALSE(times[0].distributions.empty());
}

}  // namespace
}  // namespace stepgate
