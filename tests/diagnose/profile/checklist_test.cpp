#include "diagnose/profile/checklist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

ChecklistEntry entry_of(const ProfileInput& input, const std::string& list, const std::string& id) {
  const auto entries = profile_case(input).checklist;
  const auto at = std::ranges::find_if(entries, [&](const auto& each) { return each.list == list && each.id == id; });
  if (at != entries.end()) return *at;
  ADD_FAILURE() << list << ' ' << id << " is missing";
  return {};
}

Answer answer_of(const ProfileInput& input, const std::string& list, const std::string& id) {
  return entry_of(input, list, id).answer;
}

TEST(Checklist, EveryQuestionIsThereOnceAndHasEvidence) {
  std::map<std::string, std::set<std::string>> ids;
  for (const ChecklistEntry& entry : profile_case(SampleProfileInput()).checklist) {
    EXPECT_TRUE(ids[entry.list].insert(entry.id).second) << entry.list << ' ' << entry.id;
    EXPECT_FALSE(entry.evidence.empty()) << entry.list << ' ' << entry.id;
    EXPECT_FALSE(entry.asks.empty());
  }
  EXPECT_EQ(ids["points"].size(), 18U);
  EXPECT_EQ(ids["smoke"].size(), 5U);
  EXPECT_EQ(ids["mistakes"].size(), 7U);
}

TEST(Checklist, WhatNothingRecordedIsUnknownAndNeverOk) {
  SampleProfileInput input;
  input.profile.replicates.clear();
  input.exact.replicates.clear();
  for (const char* id : {"3", "7", "8", "9", "10", "11", "12", "14", "18"}) {
    EXPECT_EQ(answer_of(input, "points", id), Answer::unknown) << id;
  }
  for (const char* id : {"numerics", "held-graphs", "budget"}) {
    EXPECT_EQ(answer_of(input, "smoke", id), Answer::unknown) << id;
  }
}

TEST(Checklist, OnABusyMachineTimesAreUnknownAndCountsAreAnswered) {
  SampleProfileInput input;
  for (Replicate& replicate : input.timed.replicates) replicate.taint_reasons = {"12 % of the CPU was stolen"};
  StepSample& first = input.timed.replicates[0].record->timed["e2e"].steps[0];
  first.cold_shape = true;
  for (const char* id : {"1", "2", "4", "8", "14", "17"}) {
    EXPECT_EQ(answer_of(input, "points", id), Answer::unknown) << id;
  }
  for (const char* id : {"timing", "wait"}) EXPECT_EQ(answer_of(input, "smoke", id), Answer::unknown) << id;
  EXPECT_EQ(answer_of(input, "points", "3"), Answer::ok);
  EXPECT_EQ(entry_of(input, "points", "16").evidence, "1 step with a new shape after warm-up, 0.0 % padding");
  OperatorSite copy = SampleProfileInput::site("forward", "aten::clone", 56'000'000);
  copy.bytes = 4 * 1024;
  input.run().observed->sites.push_back(copy);
  EXPECT_THAT(entry_of(input, "points", "7").evidence, HasSubstr("50.0 % of the time of its operators"));
}

TEST(Checklist, AReadOnTheHostIsLookedAtWithItsLine) {
  SampleProfileInput input;
  EXPECT_EQ(answer_of(input, "points", "3"), Answer::ok);
  OperatorSite read = SampleProfileInput::site("forward", "aten::_local_scalar_dense", 1000);
  read.place = 0;
  input.run().observed->sites.push_back(read);
  const ChecklistEntry entry = entry_of(input, "points", "3");
  EXPECT_EQ(entry.answer, Answer::look);
  EXPECT_EQ(entry.evidence, "values read on the host: 1 a step, first at net.cpp:12");
}

TEST(Checklist, ManyObservedStepsAreLookedAt) {
  SampleProfileInput input;
  input.run().observed->steps = 20;
  const ChecklistEntry entry = entry_of(input, "mistakes", "too-many-steps");
  EXPECT_EQ(entry.answer, Answer::ok);
  EXPECT_EQ(entry.evidence, "20 steps observed in each of 1 process, beside 30 timed steps without a profiler");
  input.run().observed->steps = 101;
  EXPECT_EQ(answer_of(input, "mistakes", "too-many-steps"), Answer::look);
  input.run().observed.reset();
  EXPECT_EQ(answer_of(input, "mistakes", "too-many-steps"), Answer::unknown);
}

/// Too small a share for advice, and yet an accident.
TEST(Checklist, WorkInFloat64IsLookedAtHoweverLittleItTakes) {
  SampleProfileInput input;
  EXPECT_EQ(answer_of(input, "points", "10"), Answer::not_applicable);
  OperatorSite scaled = SampleProfileInput::site("forward", "aten::mul", 1000);
  scaled.inputs = {{.sizes = {8, 8}, .strides = {8, 1}, .dtype = "float32"},
                   {.sizes = {8}, .strides = {1}, .dtype = "float64"}};
  scaled.outputs = {{.sizes = {8, 8}, .strides = {8, 1}, .dtype = "float64"}};
  OperatorSite computed = SampleProfileInput::site("forward", "aten::exp", 1000);
  computed.inputs = scaled.outputs;
  computed.bytes = 1024;
  input.run().observed->sites.insert(input.run().observed->sites.end(), {scaled, computed});
  const ChecklistEntry entry = entry_of(input, "points", "10");
  EXPECT_EQ(entry.answer, Answer::look);
  EXPECT_EQ(entry.evidence, "8 x 8 float32 becomes float64 by aten::mul, and aten::exp computes in it");
}

TEST(Checklist, OnAGpuSyncsAndPageableCopiesAreWarnings) {
  SampleProfileInput input;
  EXPECT_EQ(answer_of(input, "points", "5"), Answer::needs_gpu);
  input.on_gpu(9'900'000);
  input.counts().per_step = {{"host_syncs_per_step", {0, 0}}, {"pageable_copies_per_step", {0, 0}}};
  EXPECT_EQ(answer_of(input, "points", "3"), Answer::ok);
  EXPECT_EQ(answer_of(input, "points", "5"), Answer::ok);
  input.counts().per_step = {{"host_syncs_per_step", {1, 1}}, {"pageable_copies_per_step", {2, 2}}};
  EXPECT_EQ(answer_of(input, "mistakes", "sync-in-loop"), Answer::warning);
  EXPECT_EQ(answer_of(input, "points", "5"), Answer::warning);
}

TEST(Checklist, TheLoaderIsJudgedByItsExperiments) {
  SampleProfileInput input;
  EXPECT_EQ(answer_of(input, "points", "4"), Answer::look);  // likely
  input.ran(Experiment::synthetic_batch, 0.3, Proof::proven);
  input.ran(Experiment::delayed_loader, 1, Proof::proven);
  EXPECT_EQ(answer_of(input, "points", "4"), Answer::warning);
  EXPECT_EQ(answer_of(input, "points", "14"), Answer::ok);
}

TEST(Checklist, LossesThatRiseOrEndAreSaid) {
  SampleProfileInput input;
  NumericTrace& trace = input.exact.replicates[0].record->numerics.emplace();
  trace.loss = {4.5, 2.9};
  EXPECT_EQ(answer_of(input, "points", "18"), Answer::ok);
  trace.loss = {2.9, 4.5};
  EXPECT_EQ(answer_of(input, "points", "18"), Answer::look);
  trace.loss = {2.9, std::nan("")};
  EXPECT_EQ(answer_of(input, "smoke", "numerics"), Answer::warning);
}

TEST(Checklist, WithoutBackwardTheStepIsNoTraining) {
  SampleProfileInput input;
  EXPECT_EQ(answer_of(input, "mistakes", "eval-mode"), Answer::ok);
  std::erase_if(input.run().observed->sites, [](const OperatorSite& site) { return site.boundary == "backward"; });
  EXPECT_EQ(answer_of(input, "mistakes", "eval-mode"), Answer::warning);
}

/// Of a loop that does not mark the end of backward, too: its operators are then part of the next boundary.
TEST(Checklist, ALayerInEvalModeIsAWarning) {
  SampleProfileInput input;
  for (OperatorSite& site : input.run().observed->sites) {
    if (site.boundary != "backward") continue;
    site.boundary = "optimizer";
    site.for_forward = true;
  }
  OperatorSite drop = SampleProfileInput::site("forward", "aten::dropout", 1000);
  drop.arguments = {"0.1", "True"};
  input.run().observed->sites.push_back(drop);
  EXPECT_EQ(answer_of(input, "mistakes", "eval-mode"), Answer::ok);
  input.run().observed->sites.back().arguments = {"0.1", "False"};
  const ChecklistEntry entry = entry_of(input, "mistakes", "eval-mode");
  EXPECT_EQ(entry.answer, Answer::warning);
  EXPECT_EQ(entry.evidence, "aten::dropout runs with training=False: eval()");
}

/// It has no backward of its own, and it may be compiled.
TEST(Checklist, OfAStepThatIsOneCallNothingIsSaidThatIsNotSeen) {
  SampleProfileInput input;
  EXPECT_EQ(answer_of(input, "points", "15"), Answer::not_applicable);
  for (Replicate& replicate : input.timed.replicates) {
    replicate.record->boundaries = StepBoundaries({"data_wait", "h2d", whole_step_name, "logging"});
  }
  for (OperatorSite& site : input.run().observed->sites) site.boundary = whole_step_name;
  EXPECT_EQ(answer_of(input, "mistakes", "eval-mode"), Answer::unknown);
  for (const char* point : {"7", "8", "9", "10", "11"}) {
    EXPECT_EQ(answer_of(input, "points", point), Answer::unknown) << point;
  }
  input.counts().per_step["flops_per_step"] = {64, 64};  // a step that calls LibTorch's operators itself
  EXPECT_EQ(answer_of(input, "points", "9"), Answer::ok);
  const ChecklistEntry entry = entry_of(input, "points", "15");
  EXPECT_EQ(entry.answer, Answer::ok);
  EXPECT_EQ(entry.evidence, "the first step, 50.0 ms, is kept apart; a steady one takes 10.0 ms");
}

TEST(Checklist, UpdatesThatTheLossScalerSkipsAreAWarning) {
  SampleProfileInput input;
  EXPECT_EQ(answer_of(input, "points", "11"), Answer::not_applicable);
  input.counts().per_step["amp_skips_per_step"] = {0, 0};
  EXPECT_EQ(answer_of(input, "points", "11"), Answer::ok);
  input.counts().per_step["amp_skips_per_step"] = {1, 0};
  EXPECT_EQ(answer_of(input, "points", "11"), Answer::warning);
}

TEST(Checklist, ThePeakIsComparedWithTheBudgetOfThePolicy) {
  SampleProfileInput input;
  input.exact.replicates[0].record->memory.emplace().ledger.emplace().peak_bytes = 9 << 20;
  EXPECT_EQ(answer_of(input, "smoke", "budget"), Answer::not_applicable);
  input.peak_budget_bytes = 9 << 20;
  EXPECT_EQ(answer_of(input, "smoke", "budget"), Answer::ok);
  input.peak_budget_bytes = 8 << 20;
  const ChecklistEntry entry = entry_of(input, "smoke", "budget");
  EXPECT_EQ(entry.answer, Answer::warning);
  EXPECT_EQ(entry.evidence, "the peak is 9.00 MiB, the budget of the policy 8.00 MiB");
}

TEST(Checklist, AMeanFarFromTheMedianIsLookedAt) {
  SampleProfileInput input;
  Profile profile = profile_case(input);
  const auto answer = [&](double mean_ns) {
    profile.step.median_ns = 10e6;
    profile.step.mean_ns = mean_ns;
    const auto entries = checklist_for(input, profile);
    return *std::ranges::find(entries, "mean-only", &ChecklistEntry::id);
  };
  EXPECT_EQ(answer(10.4e6).answer, Answer::ok);
  EXPECT_EQ(answer(10.6e6).answer, Answer::look);
  EXPECT_THAT(answer(10.6e6).evidence, HasSubstr("the mean is +6.0 % from the median 10.0 ms"));
  profile.step.steps = 0;
  EXPECT_EQ(answer(10e6).answer, Answer::unknown);
}

}  // namespace
}  // namespace stepgate
