// Which verdicts ask for more evidence before they stand.
#include "experiment/confirmation.h"

#include <gtest/gtest.h>

#include <string>

#include "experiment/fake_build.h"
#include "support/fake_program.h"

namespace stepgate {
namespace {

CaseVerdict verdict_with(const std::string& metric, Status status, const std::string& reason) {
  CaseVerdict verdict;
  verdict.status = status;
  MetricVerdict& made = verdict.metrics.emplace_back();
  made.metric = metric;
  made.status = status;
  made.reason = VerdictReason::named(reason);
  return verdict;
}

Measurement exact_replicates(std::int64_t count) {
  Measurement measurement;
  for (std::int64_t i = 0; i < count; ++i) {
    Replicate& replicate = measurement.replicates.emplace_back();
    replicate.group = Group::exact;
    replicate.record = RunRecord{};
  }
  return measurement;
}

TEST(Confirmation, ARedInBytesAsksForSixProcesses) {
  const CaseVerdict red = verdict_with("peak_allocated_bytes", Status::regressed, "above-limit");
  EXPECT_EQ(processes_to_confirm(red, exact_replicates(2)), 4);
  EXPECT_EQ(processes_to_confirm(red, exact_replicates(6)), 0);
}

TEST(Confirmation, NothingElseAsksForMoreProcesses) {
  const auto asked = [](const CaseVerdict& verdict) { return processes_to_confirm(verdict, exact_replicates(2)); };
  EXPECT_EQ(asked(verdict_with("operators_per_step", Status::regressed, "above-limit")), 0) << "counts are exact";
  EXPECT_EQ(asked(verdict_with("peak_allocated_bytes", Status::regressed, "over-budget")), 0);
  EXPECT_EQ(asked(verdict_with("peak_allocated_bytes", Status::inconclusive, "bytes-vary")), 0);
  CaseVerdict failed = verdict_with("peak_allocated_bytes", Status::regressed, "above-limit");
  failed.status = Status::failed;
  EXPECT_EQ(asked(failed), 0);
}

TEST(Confirmation, FurtherProcessesLookForNoHazards) {
  const FakeProgram program("echo process >> \"$here/log\"; good");
  program.folder().write("emulated_gpu/libstepgate_emulated_values.so", "");
  CasePlan plan{.entry = {}, .files = {}, .request = program.request({Group::exact})};
  plan.request.device = Device::cuda;
  plan.request.seeks_hazards = true;
  plan.request.emulated = EmulatedGpu{.device = {}, .folder = program.folder().path() / "emulated_gpu"};
  Measurement measured = exact_replicates(0);
  measured.case_name = plan.request.case_name;
  const Listener listener;
  const Measurement all = with_more_processes(plan, listener.caller(), measured, 1);
  EXPECT_EQ(program.lines_in("log"), 1) << "the measurement has its hazards";
  ASSERT_EQ(all.replicates.size(), 1U);
  EXPECT_FALSE(all.replicates.front().failure);
}

TEST(Confirmation, TimesThatAreNotGreenAskForPairs) {
  const auto asks = [](Status status, const std::string& reason) {
    return pairs_could_decide(verdict_with("step_time_ns", status, reason));
  };
  EXPECT_TRUE(asks(Status::regressed, "regressed-unconfirmed"));
  EXPECT_TRUE(asks(Status::inconclusive, "few-sessions"));
  EXPECT_TRUE(asks(Status::inconclusive, "reference-moved"));
  EXPECT_TRUE(asks(Status::no_baseline, "no-baseline"));
  EXPECT_FALSE(asks(Status::pass, "within-limit"));
  EXPECT_FALSE(asks(Status::improved, "faster"));
  EXPECT_FALSE(asks(Status::regressed, "over-budget"));
  EXPECT_FALSE(asks(Status::pass, "waived"));
  EXPECT_FALSE(asks(Status::failed, "replicate-failed")) << "clean pairs do not undo a crash";
  EXPECT_FALSE(pairs_could_decide(verdict_with("operators_per_step", Status::regressed, "above-limit")));
}

TEST(Confirmation, WhatStoredSessionsCallWorseIsAskedOfThePairs) {
  const auto asks = [](Status status, const std::string& reason, Interval interval = {0.05, 0.4}) {
    CaseVerdict verdict = verdict_with("first_step_ns", status, reason);
    verdict.metrics.front().interval = interval;
    return worse_than_stored(verdict).contains("first_step_ns");
  };
  EXPECT_TRUE(asks(Status::regressed, "regressed-unconfirmed"));
  EXPECT_TRUE(asks(Status::inconclusive, "few-sessions"));
  EXPECT_TRUE(asks(Status::inconclusive, "reference-moved"));
  EXPECT_FALSE(asks(Status::inconclusive, "reference-moved", {-0.2, 0.1})) << "it looks no worse";
  EXPECT_FALSE(asks(Status::inconclusive, "no-reference", {-0.2, 0.1}));
  EXPECT_FALSE(asks(Status::inconclusive, "interval-too-wide")) << "that is noise, as in the pairs";
  EXPECT_FALSE(asks(Status::no_baseline, "no-baseline"));
  EXPECT_FALSE(asks(Status::pass, "within-limit"));
}

}  // namespace
}  // namespace stepgate
