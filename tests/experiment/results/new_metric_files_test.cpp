// Which pending files `baseline accept --new-metrics` takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "baseline/pending.h"
#include "experiment/fake_build.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/pending_files.h"
#include "experiment/results/report_files.h"
#include "experiment/results/result_folders.h"
#include "experiment/results/result_inputs.h"
#include "launch/program_build.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

MetricVerdict of_metric(const std::string& metric, Status status, ReasonCode reason) {
  MetricVerdict verdict;
  verdict.metric = metric;
  verdict.status = status;
  verdict.reason = reason;
  return verdict;
}

const MetricVerdict new_step_time = of_metric("step_time_ns", Status::not_judged, ReasonCode::new_metric);
const MetricVerdict red_count = of_metric("operators_per_step", Status::regressed, ReasonCode::above_limit);

Outcome verdict_on(const ResultKind& kind, Status status, const std::vector<MetricVerdict>& metrics) {
  Outcome outcome;
  outcome.verdict.case_name = fake_case;
  outcome.verdict.status = status;
  outcome.verdict.metrics = metrics;
  outcome.kind = kind;
  outcome.pairs_decided = kind == result_of_pairs;
  return outcome;
}

Baseline portable_half(std::int64_t operators) {
  Baseline baseline;
  baseline.case_name = fake_case;
  baseline.runner_class = "portable";
  baseline.key = {{"isa", "AVX2"}};
  baseline.exact["operators_per_step"] = {operators};
  return baseline;
}

Baseline one_session() {
  Baseline baseline;
  baseline.case_name = fake_case;
  baseline.scope = Scope::runner;
  baseline.key = {{"cpu", "a CPU"}};
  baseline.runner_class = "local";
  baseline.sessions.push_back(
      {.utc = "2026-11-21T10:00:00Z", .unix_s = 1795255200, .commit = "abc", .timed = {{"step_time_ns", {1000}}}});
  return baseline;
}

/// A project of one case whose verdicts and pending files the test writes, as gates do.
class NewMetricPending : public testing::Test {
 protected:
  NewMetricPending() : build_("good"), project_(build_.project()) {}

  void store(Outcome outcome, const std::vector<Baseline>& left) {
    const ResultName name{fake_case, outcome.kind};
    begin_results(listener_.caller(), project_, {name});
    const ManifestCase& entry = project_.manifest.cases.front();
    KnownDigests digests;
    outcome.inputs = outcome.kind == result_of_pairs ? inputs_of_pairs(project_, entry, entry.program)
                                                     : inputs_of_gate(project_, entry, outcome.kind.half, digests);
    for (const Baseline& each : left) outcome.pending_digests.push_back(file_digest(write_pending(project_.out, each)));
    write_report(listener_.caller(), project_, folder_of(project_, name), report_of(project_, {outcome}));
  }

  /// Another program: what is stored is stale.
  void rebuild() { build_.program().folder().write(project_.manifest.cases.front().program.filename(), "#!/bin/sh\n"); }

  std::vector<std::string> taken(TierChoice half = TierChoice::all) const {
    std::vector<std::string> names;
    for (const fs::path& file : new_metric_files(project_, half).files)
      names.push_back(file.lexically_relative(project_.out / "pending").begin()->string());
    return names;
  }

  FakeBuild build_;
  Project project_;
  Listener listener_;
};

TEST_F(NewMetricPending, AreThoseThatItsVerdictsLeft) {
  store(verdict_on(whole_gate, Status::pass, {new_step_time}), {portable_half(4), one_session()});
  EXPECT_THAT(taken(), ElementsAre("portable", "local"));
  EXPECT_THAT(taken(TierChoice::exact), ElementsAre("portable"));
  EXPECT_THAT(taken(TierChoice::timed), ElementsAre("local"));
  store(verdict_on({.half = TierChoice::exact}, Status::pass, {new_step_time}), {portable_half(4)});
  EXPECT_THAT(taken(), UnorderedElementsAre("portable", "local")) << "two verdicts left the same file";
}

TEST_F(NewMetricPending, NeverAreARedFileOfAnEarlierRun) {
  store(verdict_on(whole_gate, Status::regressed, {red_count}), {portable_half(9), one_session()});
  EXPECT_THAT(taken(), IsEmpty());
  rebuild();
  store(verdict_on(whole_gate, Status::pass, {new_step_time}), {one_session()});
  EXPECT_THAT(pending_files(project_.out), testing::SizeIs(2)) << "the red one was not removed";
  EXPECT_THAT(taken(), ElementsAre("local"));
}

TEST_F(NewMetricPending, NeverAreOfAStaleVerdict) {
  store(verdict_on({.half = TierChoice::exact}, Status::regressed, {red_count}), {portable_half(9)});
  rebuild();
  store(verdict_on({.half = TierChoice::timed}, Status::pass, {new_step_time}), {one_session()});
  EXPECT_THAT(taken(), ElementsAre("local"));
}

TEST_F(NewMetricPending, NeverAreChosenByPairs) {
  store(verdict_on({.half = TierChoice::exact}, Status::regressed, {red_count}), {portable_half(9)});
  rebuild();
  store(verdict_on(result_of_pairs, Status::pass, {new_step_time}), {});
  EXPECT_THAT(taken(), IsEmpty());
  EXPECT_THAT(new_metric_files(project_, TierChoice::all).without, IsEmpty());
}

TEST_F(NewMetricPending, ThatAnotherRunReplacedAreNamedAndNotTaken) {
  store(verdict_on({.half = TierChoice::exact}, Status::pass, {new_step_time}), {portable_half(4)});
  write_pending(project_.out, portable_half(9));
  EXPECT_THAT(taken(), IsEmpty());
  EXPECT_THAT(new_metric_files(project_, TierChoice::all).without, ElementsAre(fake_case));
}

}  // namespace
}  // namespace stepgate
