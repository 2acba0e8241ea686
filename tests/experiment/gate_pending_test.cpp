// What a gate leaves to be accepted, and what it says of losses that vary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "baseline/find_baseline.h"
#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/gate.h"
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

/// Two exact processes with other losses.
void write_losses_that_vary(const FakeBuild& build) {
  for (std::int64_t replicate = 0; replicate < 5; ++replicate) {
    RunRecord record = valid_record(Group::exact, replicate);
    record.numerics = NumericTrace{.loss = {2.5 + 0.1 * static_cast<double>(replicate), 2.0},
                                   .grad_norm = {1, 1},
                                   .loss_digest = "",
                                   .parameter_digest = ""};
    build.write_record(record);
  }
}

const Finding* finding_in(const Outcome& outcome, const std::string& code) {
  for (const Finding& finding : outcome.findings) {
    if (name_of(finding.code) == code) return &finding;
  }
  return nullptr;
}

TEST(Gate, AFirstRunThatVariesSaysWhatAndWhy) {
  const FakeBuild build(logged_process);
  write_losses_that_vary(build);
  Listener listener;
  listener.caller().commands.accept = [](const std::string& name, TierChoice tier) {
    return fmt::format("accept {} {}", name, name_of(tier));
  };
  const Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::no_baseline);
  EXPECT_THAT(outcome.accept_command, IsEmpty());
  const Finding* cause = finding_in(outcome, "losses-vary");
  ASSERT_NE(cause, nullptr);
  EXPECT_EQ(cause->severity, Severity::cause) << "shown without --verbose";
  EXPECT_THAT(cause->message, HasSubstr("processes 0 and 1"));
  EXPECT_THAT(why_nothing_is_pending(build.project(), {}), HasSubstr(cause->message));
}

TEST(Gate, AMetricDeclaredVaryingIsNoDeadEnd) {
  const FakeBuild build(logged_process);
  write_losses_that_vary(build);
  Policy policy;
  policy.varying = {{"fake/*", {"loss"}, "two threads draw"}};
  build.write_policy(policy);
  store_baseline(build);
  EXPECT_TRUE(fs::exists(build.root() / "baselines/portable/fake/case/tiny.json"));
  Listener listener;
  const Outcome outcome = run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::pass);
  ASSERT_NE(finding_in(outcome, "varying"), nullptr) << "never green silently";
  EXPECT_EQ(finding_in(outcome, "varying")->severity, Severity::warning);
  EXPECT_THAT(outcome.pending_path, IsEmpty());

  RunRecord more = valid_record(Group::exact, 0);
  more.counts->per_step.at("operators_per_step") = {8, 8};
  build.write_exact_records(more);
  EXPECT_EQ(run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front().verdict.status,
            Status::regressed)
      << "its counts are guarded";
}

TEST(Gate, APendingFileNamesTheOptionsThatItDependsOn) {
  const FakeBuild build(logged_process);
  Listener listener;
  GateOptions options = exact_gate(build);
  RunRecord windows = valid_record(Group::exact, 0);
  windows.steps.window = 3;
  build.write_exact_records(windows);
  options.measure.steps = {{"window", 3}};  // of timed processes only
  Outcome outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_THAT(read_baseline(outcome.pending_path).provenance.options, IsEmpty());
  for (std::int64_t replicate = 0; replicate < 2; ++replicate) {
    RunRecord record = valid_record(Group::exact, replicate);
    record.seed = 7;
    record.steps.counts = 2;
    build.write_record(record);
  }
  options.measure.seed = 7;
  options.measure.steps = {{"counts", 2}};
  outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_EQ(read_baseline(outcome.pending_path).provenance.options, "--seed 7 --steps counts=2");
}

TEST(Gate, ARateOfRequestsIsAnOptionOfItsTimesAlone) {
  const FakeBuild build(logged_process);
  Listener listener;
  GateOptions options = exact_gate(build);
  options.measure.request_rate = "120";
  Outcome outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_THAT(read_baseline(outcome.pending_path).provenance.options, IsEmpty());
  const GateOptions timed{.measure = {.tier = TierChoice::timed, .request_rate = "120"}, .host = build.host()};
  outcome = run_gate(build.project(), timed, listener.caller()).report.outcomes.front();
  EXPECT_EQ(read_baseline(outcome.pending_path).provenance.options, "--request-rate 120");
}

TEST(Gate, APendingFileSaysWhichHalfItHolds) {
  const FakeBuild build(logged_process);
  Listener listener;
  const GateOptions timed{.measure = {.tier = TierChoice::timed}, .host = build.host()};
  for (const GateOptions& options : {exact_gate(build), timed}) {
    const TierChoice own = options.measure.tier;
    const TierChoice other = own == TierChoice::exact ? TierChoice::timed : TierChoice::exact;
    const Outcome outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
    Baseline pending = read_baseline(outcome.pending_path);
    EXPECT_TRUE(holds_half(pending, own)) << name_of(own);
    EXPECT_TRUE(holds_half(pending, TierChoice::all));
    EXPECT_FALSE(holds_half(pending, other)) << name_of(own);
    pending.exact["operators_per_step"] = {1};
    EXPECT_TRUE(holds_half(pending, TierChoice::exact)) << "sessions of a CUDA case come with its exact half";
  }
}

TEST(Gate, StepsThatStepgateLengthenedAreNoOptionOfTheUser) {
  const FakeBuild build(runs_short_steps);
  write_short_steps(build.program().folder());
  Listener listener;
  const GateOptions options{.measure = {.tier = TierChoice::timed}, .host = build.host()};
  const Outcome outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_THAT(listener.notices(), HasSubstr("window=640"));
  EXPECT_THAT(read_baseline(outcome.pending_path).provenance.options, IsEmpty());
}

TEST(Gate, ASessionTooShortForAVerdictIsNotOffered) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Listener listener;
  GateOptions options{.measure = {.tier = TierChoice::timed, .timed_replicates = 2}, .host = build.host()};
  Outcome outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_THAT(outcome.pending_path, IsEmpty());
  EXPECT_THAT(why_nothing_is_pending(build.project(), {}), HasSubstr("2 clean timed processes, and a verdict needs 3"));
  options.measure.timed_replicates = 3;
  outcome = run_gate(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_TRUE(fs::exists(outcome.pending_path));
}

/// A build with a stored exact baseline of seven operators a step, and the gate of that half on other numbers.
class SettledHalf : public testing::Test {
 protected:
  SettledHalf() : build_(logged_process) { store_baseline(build_); }

  Outcome gated(std::int64_t more_operators, TierChoice half = TierChoice::exact) {
    RunRecord record = valid_record(Group::exact, 0);
    for (std::int64_t& count : record.counts->per_step.at("operators_per_step")) count += more_operators;
    build_.write_exact_records(record);
    const GateOptions options{.measure = {.tier = half}, .host = build_.host()};
    Project project = build_.project();
    project.start.day = "2026-11-21";
    return run_gate(project, options, listener_.caller()).report.outcomes.front();
  }
  bool is_pending() const { return fs::exists(build_.root() / "out/pending/portable/fake/case/tiny.json"); }

  FakeBuild build_;
  Listener listener_;
};

TEST_F(SettledHalf, ThatPassesRemovesThePendingFileOfAnEarlierRed) {
  EXPECT_EQ(gated(1).verdict.status, Status::regressed);
  EXPECT_TRUE(is_pending());
  const Outcome mended = gated(0);
  EXPECT_EQ(mended.verdict.status, Status::pass);
  EXPECT_FALSE(is_pending()) << "baseline accept would store the red values";
  EXPECT_THAT(mended.pending_digests, IsEmpty());
}

TEST_F(SettledHalf, IsNoOtherHalf) {
  gated(1);
  gated(0, TierChoice::timed);
  EXPECT_TRUE(is_pending()) << "the timed half says nothing of counts";
}

TEST_F(SettledHalf, ThatImprovedStaysToBeAccepted) {
  const Outcome better = gated(-1);
  EXPECT_EQ(better.verdict.status, Status::improved);
  EXPECT_TRUE(is_pending());
  EXPECT_THAT(better.pending_digests, SizeIs(1));
  build_.accept_pending();
  EXPECT_EQ(gated(-1).verdict.status, Status::pass);
}

TEST_F(SettledHalf, IsNotMadeByAWaiver) {
  gated(1);
  Policy policy;
  policy.waivers = {{.case_name = fake_case,
                     .metric = "operators_per_step",
                     .owner = "jane",
                     .until = "2026-12-31",
                     .reason = "known"}};
  build_.write_policy(policy);
  EXPECT_EQ(gated(1).verdict.status, Status::pass);
  EXPECT_TRUE(is_pending()) << "a person may still accept the red values";
}

TEST(Gate, ASettingThatTheProgramSetsIsAcceptedWithItsValuesAndOneThatWasAskedForNever) {
  const FakeBuild build(logged_process);
  store_baseline(build);
  Listener listener;
  listener.caller().commands.accept = [](const std::string& name, TierChoice) { return "accept " + name; };
  const auto gated = [&] {
    return run_gate(build.project(), exact_gate(build), listener.caller()).report.outcomes.front();
  };
  RunRecord changed = valid_record(Group::exact, 0);
  changed.fingerprint["default_dtype"] = "float64";
  build.write_exact_records(changed);
  Outcome outcome = gated();
  EXPECT_EQ(outcome.verdict.status, Status::regressed);
  EXPECT_EQ(name_of(outcome.verdict.reason), "program-changed-setting");
  EXPECT_EQ(outcome.accept_command, "accept fake/case/tiny");
  build.accept_pending();
  EXPECT_EQ(gated().verdict.status, Status::pass) << "the program always sets it";

  changed.fingerprint["threads"] = "2";
  build.write_exact_records(changed);
  outcome = gated();
  EXPECT_EQ(outcome.verdict.status, Status::failed);
  EXPECT_EQ(name_of(outcome.verdict.reason), "program-changed-setting");
  EXPECT_THAT(outcome.verdict.detail, HasSubstr("was asked for threads 1 and ended with 2"));
  EXPECT_THAT(outcome.accept_command, IsEmpty());
  EXPECT_THAT(outcome.pending_path, IsEmpty());
}

}  // namespace
}  // namespace stepgate
