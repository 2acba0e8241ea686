#include "judge/studies/experiment_verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "judge/studies/profiled_case.h"

namespace stepgate {
namespace {

void add_timed(Measurement& measurement, double ns) {
  Replicate& replicate = measurement.replicates.emplace_back();
  replicate.record.emplace();
  TimedPass& pass = replicate.record->timed["e2e"];
  pass.clock = "steady_clock";
  pass.steps.resize(2);
  for (StepSample& step : pass.steps) step.wall_ns = std::llround(ns);
  pass.steps.push_back({.wall_ns = std::llround(100 * ns), .cold_shape = true});
}

TEST(ExperimentVerdict, AGainIsProvenAboveTheMarginAndRefutedBelowIt) {
  ProfiledCase made = four_processes();
  made.add("synthetic-batch", {0.698, 0.702, 0.699, 0.701});
  made.add("logging-off", {0.999, 1.001, 0.9995, 1.0005});
  const ExperimentResult gain = made.result(Experiment::synthetic_batch);
  EXPECT_EQ(gain.proof, Proof::proven);
  EXPECT_NEAR(*gain.effect, 0.3, 1e-3);
  EXPECT_EQ(gain.processes, 4);
  EXPECT_GT(gain.interval->lower, 0.28);
  EXPECT_LT(gain.interval->upper, 0.32);
  EXPECT_EQ(made.result(Experiment::logging_off).proof, Proof::refuted);
  ProfiledCase scattered = four_processes();
  scattered.add("optimizer-skipped", {0.97, 1.0, 0.98, 1.01});
  const ExperimentResult open = scattered.result(Experiment::optimizer_skipped);
  EXPECT_EQ(open.proof, Proof::undecided);
  // sd of the logs .0184, center -.0102 or a gain of .0101 against .01: nothing reasonable decides it.
  EXPECT_FALSE(open.more_processes);
}

TEST(ExperimentVerdict, UndecidedSaysHowManyMoreProcessesWouldDecide) {
  ProfiledCase made = four_processes();
  made.add("logging-off", {0.94, 0.98, 0.95, 0.99});
  const ExperimentResult open = made.result(Experiment::logging_off);
  ASSERT_EQ(open.proof, Proof::undecided);
  // Logs: mean -.0356, sd .0245. t(m-1) .0245 / sqrt(m) < .0356 + ln .99 = .0255: 6.2 at m = 4 (t = 3.18 gives .039),
  // .0305 at 5, .0258 at 6, .0227 at 7.
  EXPECT_EQ(open.more_processes, 3);
}

TEST(ExperimentVerdict, TheUnitIsTheProcessNotTheRound) {
  ProfiledCase made;
  made.rounds = 200;
  made.add_process(1);
  made.add_process(1);
  made.add("logging-off", {0.8, 0.97});
  EXPECT_EQ(made.result(Experiment::logging_off).proof, Proof::undecided);
}

TEST(ExperimentVerdict, ARoundComparesWithItsOwnBaseline) {
  ProfiledCase made;
  for (int i = 0; i < 3; ++i) made.add_process(1, 0.3);  // rounds differ by 82 %
  made.add("logging-off", {0.8});
  const ExperimentResult result = made.result(Experiment::logging_off);
  EXPECT_NEAR(*result.effect, 0.2, 1e-6);
  EXPECT_EQ(result.proof, Proof::proven);
}

TEST(ExperimentVerdict, ABurstThatHitsOneBlockOfAProcessMovesNothing) {
  ProfiledCase made = four_processes();
  made.rounds = 5;
  made.add("synthetic-batch", {0.7});
  ProfiledCase struck = made;
  for (std::size_t process = 0; process < 4; ++process) struck.run(process).blocks.back().wall_ns *= 2;
  EXPECT_EQ(struck.result(Experiment::synthetic_batch).effect, made.result(Experiment::synthetic_batch).effect);
}

TEST(ExperimentVerdict, MoreExperimentsWidenEveryInterval) {
  ProfiledCase one = four_processes();
  one.add("logging-off", {0.79, 0.81, 0.8, 0.8});
  ProfiledCase three = one;
  three.add("busy-core", {1.01});
  three.add("extra-sync", {1.01});
  // t(3): .975 -> 3.182, 1 - .025/3 -> 4.857.
  EXPECT_NEAR(width(three.result(Experiment::logging_off)) / width(one.result(Experiment::logging_off)), 1.526, 0.01);
}

TEST(ExperimentVerdict, CriticalityIsTheShareOfADelayThatReachesTheStep) {
  ProfiledCase made;
  for (int i = 0; i < 3; ++i) made.add_process(1);
  made.add("delayed-loader", {1.05, 1.0501, 1.0499}, 0.05);
  made.add("delayed-loader", {1.1, 1.1002, 1.0998}, 0.1);
  const ExperimentResult result = made.result(Experiment::delayed_loader);
  EXPECT_NEAR(*result.effect, 1, 1e-3);
  EXPECT_EQ(result.proof, Proof::proven);
  EXPECT_EQ(result.remark, "");
}

TEST(ExperimentVerdict, AReserveThatHidesASmallDelayIsNotLinear) {
  ProfiledCase made;
  for (int i = 0; i < 3; ++i) made.add_process(1);
  made.add("delayed-loader", {1, 1.0001, 0.9999}, 0.05);
  made.add("delayed-loader", {1.05, 1.0502, 1.0498}, 0.1);
  const ExperimentResult result = made.result(Experiment::delayed_loader);
  EXPECT_NEAR(*result.effect, 0.4, 1e-3);  // (0 * .05 + .05 * .1) / (.05^2 + .1^2)
  EXPECT_EQ(result.proof, Proof::proven);
  EXPECT_TRUE(result.remark.starts_with("not linear: ")) << result.remark;
}

TEST(ExperimentVerdict, ADelayThatMovesTheStepByLessThanTheMarginIsRefuted) {
  ProfiledCase made;
  for (int i = 0; i < 3; ++i) made.add_process(1);
  made.add("delayed-loader", {1.005, 1.0051, 1.0049}, 0.1);  // c = .05, margin .01 / .1
  EXPECT_EQ(made.result(Experiment::delayed_loader).proof, Proof::refuted);
}

TEST(ExperimentVerdict, TheCopyIsWhatAStepOfAResidentBatchSpendsOnIt) {
  ProfiledCase made = four_processes();
  made.add("synthetic-batch", {0.4});
  made.add("resident-batch", {0.5});
  EXPECT_NEAR(*made.result(Experiment::resident_batch).effect, 0.2, 1e-6);
}

/// A busy core that lowers the clock, or shares a core that the host hides, lengthens each step.
TEST(ExperimentVerdict, AThiefShowsWhatItTakesBeyondABusyCore) {
  ProfiledCase made = four_processes();
  made.add("busy-core", {1.05});
  made.add("bandwidth-thief", {1.05});
  EXPECT_EQ(made.result(Experiment::busy_core).proof, Proof::proven);
  EXPECT_EQ(made.result(Experiment::bandwidth_thief).proof, Proof::refuted);

  ProfiledCase taken = four_processes();
  taken.add("busy-core", {1.05});
  taken.add("bandwidth-thief", {1.155});
  EXPECT_NEAR(*taken.result(Experiment::bandwidth_thief).effect, 0.10, 1e-6);
}

TEST(ExperimentVerdict, AThiefWithoutABusyCoreBesideItSaysNothing) {
  ProfiledCase made = four_processes();
  made.add("bandwidth-thief", {1.2});
  EXPECT_FALSE(made.result(Experiment::bandwidth_thief).effect);
}

TEST(ExperimentVerdict, AGainThatADelayDoesNotConfirmIsNeverProven) {
  ProfiledCase made = four_processes();
  made.add("synthetic-batch", {0.7});
  made.add("delayed-loader", {1.0}, 0.1);
  ExperimentResult gain = made.result(Experiment::synthetic_batch);
  EXPECT_EQ(gain.proof, Proof::undecided);
  EXPECT_TRUE(gain.remark.starts_with("contradicts delayed-loader: ")) << gain.remark;
  made.add("resident-batch", {1.0});  // all of it is the copy: no contradiction
  gain = made.result(Experiment::synthetic_batch);
  EXPECT_EQ(gain.proof, Proof::proven);
}

TEST(ExperimentVerdict, TwiceTheBatchClaimsAFixedShare) {
  ProfiledCase made = four_processes();
  for (const double ns : {10.00e6, 10.02e6, 9.98e6}) add_timed(made.timed, ns);
  add_timed(made.doubled, 17.5e6);
  const ExperimentResult result = made.result(Experiment::doubled_batch);
  EXPECT_NEAR(*result.effect, 1.75, 0.001);
  EXPECT_EQ(result.processes, 1);
  // The scatter of the profile processes is 22 %, and it counts: one doubled process is not enough to say anything.
  EXPECT_EQ(result.proof, Proof::undecided);
  ProfiledCase quiet;
  for (const double factor : {1.0, 1.002, 0.998}) quiet.add_process(factor);
  quiet.timed = made.timed;
  quiet.doubled = made.doubled;
  EXPECT_EQ(quiet.result(Experiment::doubled_batch).proof, Proof::proven);
  quiet.doubled.replicates[0].record->timed["e2e"].steps.assign(1, {.wall_ns = 20'000'000});
  EXPECT_NE(quiet.result(Experiment::doubled_batch).proof, Proof::proven);
}

TEST(ExperimentVerdict, MoreProcessesOfTheProfileAreNotSaidToDecideAboutTwiceTheBatch) {
  ProfiledCase made;
  for (const double factor : {1.0, 1.002, 0.998}) made.add_process(factor);
  for (const double ns : {10.00e6, 10.02e6, 9.98e6}) add_timed(made.timed, ns);
  add_timed(made.doubled, 19.8e6);  // 2 % fixed +- 1.3 %; one more process would make that 0.9 %
  const ExperimentResult open = made.result(Experiment::doubled_batch);
  ASSERT_EQ(open.proof, Proof::undecided);
  EXPECT_FALSE(open.more_processes);
}

TEST(ExperimentVerdict, ExtraSyncsThatCostNothingSayThatTheStepDrains) {
  ProfiledCase made = four_processes();
  made.add("extra-sync", {1.0});
  EXPECT_EQ(made.result(Experiment::extra_sync).proof, Proof::proven);
  ProfiledCase ahead = four_processes();
  ahead.add("extra-sync", {1.2});
  EXPECT_EQ(ahead.result(Experiment::extra_sync).proof, Proof::refuted);
}

TEST(ExperimentVerdict, AReplayPredictsAndNeverProves) {
  ProfiledCase made = four_processes();
  for (std::size_t i = 0; i < 4; ++i) {
    ProfileRun& run = made.run(i);
    run.observed.emplace();
    run.observed->sites = {{.boundary = "forward", .name = "aten::mm", .self_ns = 400}};
    run.observed_wall_ns = 1000;
    run.replays = {{0, "as recorded", 100}, {0, "padded to 16", 90}, {0, "bfloat16", 50 + static_cast<int>(i)}};
  }
  const ExperimentResult result = made.result(Experiment::operator_replay);
  EXPECT_EQ(result.proof, Proof::predicted);
  EXPECT_NEAR(*result.effect, 0.4 * (1 - 0.515), 1e-9);
  EXPECT_EQ(result.remark, "aten::mm in forward: bfloat16");
}

TEST(ExperimentVerdict, AFormThatIsSlowerWinsNothingAndNoneWinsMoreThanTheStep) {
  const auto with_form = [](std::int64_t self_ns, std::int64_t form_ns) {
    ProfiledCase made = four_processes();
    for (std::size_t i = 0; i < 4; ++i) {
      ProfileRun& run = made.run(i);
      run.observed.emplace();
      run.observed->sites = {{.boundary = "backward", .name = "aten::mm", .self_ns = self_ns}};
      run.observed_wall_ns = 1000;
      run.replays = {{0, "as recorded", 100}, {0, "bfloat16", form_ns + static_cast<int>(i)}};
    }
    return made.result(Experiment::operator_replay);
  };
  const ExperimentResult slower = with_form(500, 470);  // else it were -1.85 of the step
  EXPECT_EQ(*slower.effect, 0);
  EXPECT_EQ(slower.proof, Proof::refuted);
  const ExperimentResult whole = with_form(2000, 7);  // threads together
  EXPECT_LE(*whole.effect, 1);
  EXPECT_EQ(whole.proof, Proof::predicted);
}

TEST(ExperimentVerdict, SitesOfOneOperatorAreOneReplayOfTheirProcess) {
  ProfiledCase made = four_processes();
  for (std::size_t i = 0; i < 4; ++i) {
    ProfileRun& run = made.run(i);
    run.observed.emplace();
    run.observed->sites = {{.boundary = "forward", .name = "aten::mm", .self_ns = 400},
                           {.boundary = "forward", .name = "aten::mm", .self_ns = 200}};
    run.observed_wall_ns = 1000;
    run.replays = {{0, "as recorded", 100}, {0, "bfloat16", 50}, {1, "as recorded", 100}, {1, "bfloat16", 50}};
  }
  const ExperimentResult result = made.result(Experiment::operator_replay);
  EXPECT_EQ(result.processes, 4);
  EXPECT_NEAR(*result.effect, 0.2 + 0.1, 1e-9);
}

TEST(ExperimentVerdict, AnOperatorWhoseRoofIsThePriceOfACallHasNoForecast) {
  ProfiledCase made = four_processes();
  for (std::size_t i = 0; i < 4; ++i) {
    ProfileRun& run = made.run(i);
    run.observed.emplace();
    run.observed->sites = {
        {.boundary = "forward", .name = "aten::add", .leaf_calls = 10, .bytes = 30'000, .self_ns = 400}};
    run.observed_wall_ns = 1000;
    run.peaks = {.flops_per_s = {}, .bandwidth = {{1 << 20, 2e10}}, .floor_ns = 500};  // 150 ns of work a call
    run.replays = {{0, "as recorded", 100}, {0, "bfloat16", 50}};
  }
  EXPECT_FALSE(made.result(Experiment::operator_replay).effect);
  for (std::size_t i = 0; i < 4; ++i) made.run(i).peaks.floor_ns = 100;
  EXPECT_EQ(made.result(Experiment::operator_replay).remark, "aten::add in forward: bfloat16");
}

TEST(ExperimentVerdict, AProcessOfAFurtherLookCountsTwice) {
  ProfiledCase made;
  for (int i = 0; i < 4; ++i) made.add_process(1);
  made.add("logging-off", {0.90, 0.92, 0.80, 0.82});
  const std::vector<ExperimentResult> results =
      experiment_results({.profile = made.measurement, .timed = made.timed, .first_look = 2});
  const ExperimentResult& gain = results[static_cast<std::size_t>(Experiment::logging_off)];
  const double logs = std::log(0.90) + std::log(0.92) + 2 * std::log(0.80) + 2 * std::log(0.82);
  EXPECT_NEAR(*gain.effect, -std::expm1(logs / 6), 1e-6);
  EXPECT_EQ(gain.processes, 4);
}

/// Else a decided experiment would get a second chance on the same processes at the level of a later look.
TEST(ExperimentVerdict, AnExperimentThatEndedKeepsItsResultAndCountsAmongTheExperiments) {
  ProfiledCase made = four_processes();
  made.add("logging-off", {0.79, 0.81, 0.8, 0.8});
  made.add("busy-core", {1.01, 1.012, 1.01, 1.008});
  const ExperimentResult before = made.result(Experiment::logging_off);
  ExperimentResult ended = made.result(Experiment::busy_core);
  ended.remark = "of the first look";
  const std::vector<ExperimentResult> results =
      experiment_results({.profile = made.measurement, .timed = made.timed, .ended = {ended}}, {.level = 0.5});
  const ExperimentResult& kept = results[static_cast<std::size_t>(Experiment::busy_core)];
  EXPECT_EQ(kept.remark, "of the first look");
  EXPECT_EQ(kept.interval->lower, ended.interval->lower);
  const ExperimentResult& other = results[static_cast<std::size_t>(Experiment::logging_off)];
  // t(3): 1 - .05/4 -> 4.177, 1 - .5/4 -> 1.423. Were the ended one not counted: 1 - .5/2 -> .765.
  EXPECT_NEAR(width(other) / width(before), 1.423 / 4.177, 0.01);
}

TEST(ExperimentVerdict, WhatDidNotRunSaysWhy) {
  ProfiledCase made = four_processes();
  made.run(0).absent["synthetic-batch"] = "the loop holds its own loader";
  EXPECT_EQ(made.result(Experiment::synthetic_batch).absent, "the loop holds its own loader");
  EXPECT_EQ(made.result(Experiment::cuda_graph).absent, "needs a device at hand: stepgate does not run it yet");
  EXPECT_EQ(made.result(Experiment::doubled_threads).absent, "it was not run");
  made.add("logging-off", {0.5});
  for (std::size_t i = 1; i < 4; ++i) made.measurement.replicates[i].taint_reasons = {"steal"};
  const ExperimentResult alone = made.result(Experiment::logging_off);
  EXPECT_FALSE(alone.effect);
  EXPECT_EQ(alone.absent, "fewer than two clean processes have blocks of it");
}

}  // namespace
}  // namespace stepgate
