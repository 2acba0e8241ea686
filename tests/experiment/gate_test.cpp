// The gate of one case, from the plan to the report, against baselines that the same program gave.
#include "experiment/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "baseline/find_baseline.h"
#include "core/error.h"
#include "experiment/check_measurements.h"
#include "experiment/fake_build.h"
#include "experiment/gated_build.h"
#include "experiment/measure_cases.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/nothing_pending.h"
#include "experiment/results/pending_files.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

RunRecord exact_record_with_bytes(std::int64_t peak) {
  RunRecord record = valid_record(Group::exact, 0);
  record.memory = MemoryProfile{};
  record.memory->series["resident_bytes"] = {100, 100, 100};
  record.memory->peak_bytes = {peak, peak, peak};
  record.memory->series["peak_allocated_bytes"] = {peak};
  return record;
}

TEST(Gate, WithoutABaselineLeavesAPendingFile) {
  const FakeBuild build(logged_process);
  Listener listener;
  std::vector<fs::path> reports;
  listener.caller().observer.on_report = [&](const fs::path& folder, const RunReport&) { reports.push_back(folder); };
  listener.caller().commands.accept = [](const std::string& name, TierChoice tier) {
    return fmt::format("accept {} {}", name, name_of(tier));
  };
  const Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::no_baseline);
  EXPECT_TRUE(fs::exists(outcome.pending_path)) << outcome.pending_path;
  EXPECT_EQ(outcome.accept_command, "accept fake/case/tiny exact");
  EXPECT_GT(outcome.seconds, 0) << "JUnit shows it as the time of the test";
  EXPECT_THAT(reports, testing::ElementsAre(build.root() / "out" / fake_case / "exact"));
  EXPECT_TRUE(fs::exists(reports.front() / "verdict.json"));
  EXPECT_TRUE(fs::exists(reports.front() / "measurement.json"));
}

TEST(Gate, PassesWhatEqualsItsBaselineAndReddensWhatDoesMore) {
  const FakeBuild build(logged_process);
  store_baseline(build);
  Listener listener;
  Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::pass);
  EXPECT_THAT(outcome.accept_command, IsEmpty());
  EXPECT_THAT(outcome.baseline_path, HasSubstr("baselines/portable/fake/case/tiny.json"));

  RunRecord more = valid_record(Group::exact, 0);
  more.counts->per_step.at("operators_per_step") = {8, 8};
  build.write_exact_records(more);
  outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::regressed);
  EXPECT_FALSE(outcome.findings.empty()) << "a red is explained";
}

/// Records of a program that calls `name` twice a step at this offset.
RunRecord record_calling(const std::string& name, std::uint64_t offset) {
  RunRecord record = valid_record(Group::exact, 0);
  record.counts->operators = {{"forward", {{"aten::mm", 2}, {name, 4}}}};
  ObservedWork work{.steps = 2, .places = {{.offsets = {offset}}}};
  OperatorSite site{.boundary = "forward", .name = name, .place = 0};
  site.calls = 4;
  work.sites.push_back(site);
  record.counts->observed = work;
  return record;
}

/// An addr2line that names line 60 for 0x3c of perf/model.cpp, which lies in a repository.
class FakeAddr2line {
 public:
  explicit FakeAddr2line(const FakeBuild& build) : before_(::getenv("PATH")) {
    const FakeRoot& folder = build.program().folder();
    folder.write(".git", "");
    folder.write("perf/model.cpp", "");
    folder.write(
        "tools/addr2line",
        fmt::format("#!/bin/sh\nwhile read offset; do printf '0x%016x\\nNet::forward(int)\\n{}/perf/model.cpp:%d\\n' "
                    "$offset $offset; done\n",
                    build.root().string()));
    fs::permissions(build.root() / "tools/addr2line", fs::perms::owner_all);
    ::setenv("PATH", ((build.root() / "tools").string() + ":" + before_).c_str(), 1);
  }
  FakeAddr2line(const FakeAddr2line&) = delete;
  FakeAddr2line& operator=(const FakeAddr2line&) = delete;
  ~FakeAddr2line() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(Gate, ARedNamesTheLineOfTheUsersCode) {
  const FakeBuild build(logged_process);
  const FakeAddr2line addr2line(build);
  build.write_exact_records(record_calling("aten::mul", 60));
  store_baseline(build);
  RunRecord more = record_calling("aten::item", 61);
  more.counts->per_step.at("operators_per_step") = {9, 9};
  build.write_exact_records(more);
  Listener listener;
  const Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  ASSERT_THAT(outcome.findings, Not(IsEmpty()));
  EXPECT_THAT(outcome.findings.front().message,
              HasSubstr("forward: +2 aten::item at perf/model.cpp:61 in Net::forward per step"));
  EXPECT_THAT(outcome.findings.front().sources,
              testing::ElementsAre(SourceFrame{"Net::forward", "perf/model.cpp", 61}));
  EXPECT_THAT(read_text_file(outcome.baseline_path), HasSubstr("operator_functions"));
}

/// Waives operators of the fake case until `until`.
void waive_operators(const FakeBuild& build, const std::string& until) {
  Policy policy = read_policy(build.project(), "fake");
  policy.waivers = {{.case_name = fake_case,
                     .metric = "operators_per_step",
                     .owner = "grace",
                     .until = until,
                     .reason = "new optimizer"}};
  build.program().folder().write("policies/fake/policy.json", to_text(policy));
}

TEST(Gate, AGreenUnderAWaiverNamesIt) {
  const FakeBuild build(logged_process);
  store_baseline(build);
  RunRecord more = valid_record(Group::exact, 0);
  more.counts->per_step.at("operators_per_step") = {108, 108};
  build.write_exact_records(more);
  waive_operators(build, "2026-12-31");
  Project project = build.project();
  project.start.day = "2026-11-21";
  Listener listener;
  const Outcome outcome = run_gate(project, exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::pass);
  ASSERT_THAT(outcome.findings, SizeIs(testing::Ge(1U)));
  EXPECT_EQ(name_of(outcome.findings.front().code), "waiver");
  EXPECT_THAT(outcome.findings.front().message, HasSubstr("operators: waived by grace until 2026-12-31"));
}

TEST(Gate, AWaiverOfMoreThanAYearIsRefusedBeforeAnythingRuns) {
  const FakeBuild build(logged_process);
  waive_operators(build, "2027-11-22");
  Project project = build.project();
  project.start.day = "2026-11-21";
  Listener listener;
  try {
    run_gate(project, exact_gate(build), listener.caller());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("policies/fake/policy.json: waivers[0].until is 2027-11-22"));
  }
  EXPECT_EQ(build.processes(), 0);
}

TEST(Gate, ARedInBytesRestsOnSixProcesses) {
  const FakeBuild build(logged_process);
  build.write_exact_records(exact_record_with_bytes(4096));
  store_baseline(build);
  const std::int64_t before = build.processes();
  build.write_exact_records(exact_record_with_bytes(8192));
  Listener listener;
  const Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::regressed);
  EXPECT_EQ(build.processes() - before, 6);
  EXPECT_TRUE(fs::exists(build.root() / "out" / fake_case / "exact/confirm"));

  Listener checking;
  const JudgedRun checked = check_measurements(build.project(), {}, checking.caller());
  EXPECT_EQ(checked.report.outcomes.front().verdict.status, Status::regressed);
  EXPECT_THAT(checked.notices, IsEmpty()) << "the stored measurement holds all six";
}

TEST(Gate, CheckNamesAnUnconfirmedRedInBytes) {
  const FakeBuild build(logged_process);
  build.write_exact_records(exact_record_with_bytes(4096));
  store_baseline(build);
  build.write_exact_records(exact_record_with_bytes(8192));
  Listener listener;
  const MeasurementOptions exact{.measure = {.tier = TierChoice::exact}, .host = build.host()};
  EXPECT_FALSE(measure_cases(build.project(), exact, listener.caller()).failed);
  const JudgedRun checked = check_measurements(build.project(), {}, listener.caller());
  ASSERT_THAT(checked.notices, SizeIs(1));
  EXPECT_THAT(checked.notices.front().text, HasSubstr("red in bytes on 2 processes"));
}

TEST(Gate, CheckRefusesAProfile) {
  const FakeBuild build(logged_process);
  store_baseline(build);
  Listener listener;
  const MeasurementOptions exact{.measure = {.tier = TierChoice::exact}, .host = build.host()};
  EXPECT_FALSE(measure_cases(build.project(), exact, listener.caller()).failed);
  const fs::path folder = build.project().out / "fake/case/tiny/exact";
  Measurement measurement = read_measurement(folder / "measurement.json");
  measurement.replicates.front().group = Group::profile;
  EXPECT_TRUE(pending_baselines(build.project(), measurement, {}).empty());
  write_measurement(folder, measurement);
  try {
    check_measurements(build.project(), {}, listener.caller());
    FAIL() << "a profile was compared with a baseline";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("fake/case/tiny: its processes were profiled"));
  }
}

TEST(Gate, RunsTheStepsOfItsBaseline) {
  const FakeBuild build(runs_short_steps);
  write_short_steps(build.program().folder());
  const GateOptions timed{.measure = {.tier = TierChoice::timed, .timed_replicates = 3}, .host = build.host()};
  Listener first;
  run_gate(build.project(), timed, first.caller());
  EXPECT_THAT(first.notices(), HasSubstr("window=640"));
  build.accept_pending();

  const std::int64_t before = build.processes();
  Listener second;
  const JudgedRun result = run_gate(build.project(), timed, second.caller());
  EXPECT_EQ(build.processes() - before, 6) << "three timed, three of the reference: nothing to find out";
  const auto& metrics = result.report.outcomes.front().verdict.metrics;
  EXPECT_TRUE(std::none_of(metrics.begin(), metrics.end(), [](const MetricVerdict& metric) {
    return name_of(metric.reason).starts_with("incompatible");
  }));
}

TEST(Gate, ABaselineWithTheDefaultCountsKeepsThem) {
  const FakeBuild build(runs_short_steps);
  const GateOptions timed{.measure = {.tier = TierChoice::timed, .timed_replicates = 3}, .host = build.host()};
  Listener listener;
  run_gate(build.project(), timed, listener.caller());  // in virtual time: nothing is lengthened
  build.accept_pending();
  write_short_steps(build.program().folder());
  run_gate(build.project(), timed, listener.caller());
  EXPECT_THAT(build.program().text_of("log"), Not(HasSubstr("window")));
}

TEST(Gate, AnInterruptionLeavesNoVerdict) {
  const FakeBuild build(logged_process);
  Listener listener(build, 1);
  const JudgedRun result = run_gate(build.project(), exact_gate(build), listener.caller());
  EXPECT_EQ(result.interrupted_by, 2);
  EXPECT_THAT(result.report.outcomes, IsEmpty());
  EXPECT_THAT(read_text_file(build.root() / "out" / fake_case / "exact/verdict.json"), HasSubstr("\"exit_status\": 3"));
  EXPECT_THAT(listener.notices(), HasSubstr("stopped by signal 2"));
}

TEST(Gate, AFailedProcessFailsTheCase) {
  const FakeBuild build("echo no weights; exit 7");
  Listener listener;
  const Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::failed);
  ASSERT_THAT(outcome.failures, SizeIs(1));
  EXPECT_THAT(outcome.failures.front().output_tail, HasSubstr("no weights"));
  EXPECT_THAT(outcome.pending_path, IsEmpty());
}

TEST(Gate, TimesThatAreNotGreenAreConfirmedByPairs) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Listener listener;
  GateOptions options{.measure = {.tier = TierChoice::timed}, .host = build.host()};
  options.pairs = {.base_build = build.root(), .most_pairs = 4, .interleave = Interleave::processes};
  const Outcome outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_TRUE(fs::exists(build.root() / "out" / fake_case / "ab/pairs/000/head/measurement.json"));
  EXPECT_NE(outcome.verdict.status, Status::no_baseline) << "pairs decide the times, stored sessions do not";
  EXPECT_EQ(name_of(outcome.kind), "timed");
  EXPECT_TRUE(outcome.pairs_decided);
}

TEST(Gate, ABudgetOffersNothingToAccept) {
  const FakeBuild build(logged_process);
  build.write_exact_records(exact_record_with_bytes(4096));
  store_baseline(build);
  Policy policy;
  policy.budgets = {{"peak_allocated_bytes", 100}};
  build.write_policy(policy);
  Listener listener;
  listener.caller().commands.accept = [](const std::string& name, TierChoice tier) {
    return fmt::format("accept {} {}", name, name_of(tier));
  };
  Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(name_of(outcome.verdict.reason), "over-budget");
  EXPECT_THAT(outcome.accept_command, IsEmpty()) << "accepting would not help";
  RunRecord more = exact_record_with_bytes(4096);
  more.counts->per_step.at("operators_per_step") = {8, 8};
  build.write_exact_records(more);
  outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.accept_command, "accept fake/case/tiny exact") << "the operators could be accepted";
}

TEST(Gate, RefusesADebugBuild) {
  const FakeBuild build(logged_process);
  build.write_manifest(build.program().path(), "Debug");
  Listener listener;
  EXPECT_THROW(run_gate(build.project(), exact_gate(build), listener.caller()), Error);
}

}  // namespace
}  // namespace stepgate
