// A newer stepgate measures metrics that a committed baseline does not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "json/stored/baseline_json.h"
#include "judge/example_case.h"
#include "test_paths.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

std::vector<Baseline> committed_baselines() {
  std::vector<Baseline> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(STEPGATE_BASELINES_DIR "/portable")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    all.push_back(baseline_from_text(text.str(), entry.path().string()));
  }
  return all;
}

/// Two processes with exactly the values of the baseline.
CaseValues measured_as(const Baseline& baseline) {
  CaseValues values;
  values.case_name = baseline.case_name;
  values.clean_exact = 2;
  for (const auto& [metric, steps] : baseline.exact) values.exact[metric] = {steps, steps};
  for (const auto& [metric, bytes] : baseline.bytes) values.bytes[metric] = {bytes.front(), bytes.front()};
  if (baseline.numerics) values.numerics = {*baseline.numerics, *baseline.numerics};
  values.exact_fingerprint = baseline.key;
  return values;
}

CaseVerdict judge_portable(const CaseValues& values, const Baseline& baseline) {
  return judge_case({.current = values, .exact = baseline, .judge_timed = false});
}

/// Judges the values of the whole baseline against the same baseline without `metric`, as an older version wrote it.
CaseVerdict judged_without(const Baseline& whole, const std::string& metric) {
  Baseline older = whole;
  older.exact.erase(metric);
  older.bytes.erase(metric);
  return judge_portable(measured_as(whole), older);
}

TEST(NewerMetric, LeavesEveryCaseOfACommittedBaselineAsItIs) {
  const auto baselines = committed_baselines();
  ASSERT_FALSE(baselines.empty());
  for (const Baseline& whole : baselines) {
    for (const Metric& metric : metric_catalogue()) {
      const std::string name(metric.name);
      const bool stored = whole.exact.contains(name) || whole.bytes.contains(name);
      if (!stored || metric.reference != Reference::baseline) continue;
      const CaseVerdict verdict = judged_without(whole, name);
      EXPECT_EQ(verdict.status, Status::pass) << whole.case_name << " without " << name << ": " << verdict.detail;
      EXPECT_EQ(verdict_on(verdict, name).status, Status::not_judged) << name;
      EXPECT_EQ(name_of(verdict_on(verdict, name).reason), "new-metric") << name;
      EXPECT_TRUE(verdict_on(verdict, name).current) << name << ": the measured value is shown";
    }
  }
}

TEST(NewerMetric, IsJudgedOnceTheBaselineHoldsIt) {
  for (const Baseline& whole : committed_baselines()) {
    CaseValues more = measured_as(whole);
    for (auto& steps : more.exact.at("host_syncs_per_step")) steps.front() += 1;
    EXPECT_EQ(judge_portable(more, whole).status, Status::regressed) << whole.case_name;
    Baseline older = whole;
    older.exact.erase("host_syncs_per_step");
    EXPECT_EQ(judge_portable(more, older).status, Status::pass) << whole.case_name;
  }
}

TEST(NewerMetric, WouldBeSyncsLeaveCasesGreenWhoseBaselineDoesNotKnowThem) {
  for (Baseline older : committed_baselines()) {
    if (older.exact.empty()) continue;
    older.exact.erase("would_sync_per_step");
    CaseValues values = measured_as(older);
    const std::vector<std::int64_t> steps(older.exact.begin()->second.size(), 3);
    values.exact["would_sync_per_step"] = {steps, steps};
    const CaseVerdict verdict = judge_portable(values, older);
    EXPECT_EQ(verdict.status, Status::pass) << older.case_name << ": " << verdict.detail;
    EXPECT_EQ(name_of(verdict_on(verdict, "would_sync_per_step").reason), "new-metric") << older.case_name;
  }
}

TEST(NewerMetric, HidesNoOtherRegression) {
  ExampleCase example = example_case();
  example.values.exact["host_syncs_per_step"] = {{0, 0}};
  example.values.bytes["peak_allocated_bytes"] = {9000, 9000};
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_EQ(name_of(example.judge().reason), "above-limit");
}

TEST(NewerMetric, TimedOnesAreShownAndNotJudged) {
  ExampleCase example = example_case();
  example.values.timed["loader_samples_per_s"] = {900, 910, 905};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(verdict_on(verdict, "loader_samples_per_s").status, Status::not_judged);
  EXPECT_EQ(verdict_on(verdict, "loader_samples_per_s").current, 905);
}

TEST(NewerMetric, ABaselineWithNoneOfAHalfIsNoBaselineOfIt) {
  ExampleCase example = example_case();
  example.portable.exact.clear();
  example.portable.bytes.clear();
  example.portable.numerics.reset();
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::no_baseline);
  EXPECT_EQ(name_of(verdict.reason), "new-metric");
  example.runner.sessions.clear();
  EXPECT_EQ(verdict_on(example.judge(), "step_time_ns").status, Status::no_baseline);
}

TEST(NewerMetric, ALeakIsJudgedFromZeroAtOnce) {
  ExampleCase example = example_case();
  example.portable.bytes.erase("leak_bytes_per_step");
  EXPECT_EQ(verdict_on(example.judge(), "leak_bytes_per_step").status, Status::pass);
  example.values.bytes["leak_bytes_per_step"] = {512, 512};
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "leak_bytes_per_step").reason), "leak");
}

TEST(NewerMetric, ABudgetIsJudgedAtOnce) {
  ExampleCase example = example_case();
  example.portable.bytes.erase("peak_allocated_bytes");
  example.policy.budgets["peak_allocated_bytes"] = 4000;
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "peak_allocated_bytes").reason), "over-budget");
}

TEST(NewerMetric, ALossThatIsNotFiniteIsJudgedAtOnce) {
  ExampleCase example = example_case();
  example.portable.numerics.reset();
  EXPECT_EQ(example.judge().status, Status::pass);
  example.values.numerics[0].loss[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "loss").reason), "non-finite");
}

TEST(NewerMetric, AWaivedCasePassesBesideOne) {
  ExampleCase example = example_case();
  example.judge_timed = false;
  example.portable.exact.clear();
  example.portable.bytes = {{"peak_allocated_bytes", {4000}}};
  example.portable.numerics.reset();
  example.values.bytes.erase("leak_bytes_per_step");
  example.policy.waivers = {{example.values.case_name, "peak_allocated_bytes", "grace", "2026-12-31", "known"}};
  EXPECT_EQ(example.judge().status, Status::pass);
  EXPECT_EQ(name_of(example.judge().reason), "waived");
}

TEST(NotJudged, IsWhatAMetricWithoutAGatingRoleIsInsteadOfPass) {
  ExampleCase example = example_case();
  example.values.bytes["host_peak_bytes"] = {8, 8};
  example.portable.bytes["host_peak_bytes"] = {8};
  example.values.exact["samples_per_step"] = {{32}};
  example.portable.exact["samples_per_step"] = {32};
  for (const MetricVerdict& verdict : example.judge().metrics) {
    EXPECT_EQ(verdict.status, verdict.gating ? Status::pass : Status::not_judged) << verdict.metric;
  }
}

TEST(NewerMetric, AnAmountThatNobodyDeclaredIsNoMetric) {
  ExampleCase example = example_case();
  // As older versions recorded and stored it.
  const std::vector<std::int64_t> zeros(8, 0);
  const std::vector<std::int64_t> tokens(8, 640);
  for (const char* metric : {"padded_tokens_per_step", "padding_tokens_per_step"})
    example.portable.exact[metric] = tokens;
  example.portable.exact["effective_tokens_per_step"] = zeros;
  example.values.exact["padded_tokens_per_step"] = {tokens, tokens};
  EXPECT_EQ(example.judge().status, Status::pass) << "this version measures neither";
  EXPECT_EQ(name_of(verdict_on(example.judge(), "padding_tokens_per_step").reason), "no verdict");
  example.portable.exact["effective_tokens_per_step"] = std::vector<std::int64_t>(8, 500);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "padding_tokens_per_step").reason), "metric-missing")
      << "a declaration that is lost hides padding";
}

}  // namespace
}  // namespace stepgate
