#include "judge/reduce/reduce_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/metric.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Replicate timed_replicate(std::int64_t index, std::int64_t wall_ns) {
  Replicate replicate;
  replicate.group = Group::timed;
  replicate.index = index;
  replicate.record.emplace();
  StepSample step;
  step.wall_ns = wall_ns;
  replicate.record->timed["e2e"] = {.clock = "steady_clock", .windows = {}, .steps = {step}};
  replicate.record->warmup = Warmup{.first_step_ns = 5000, .steps = 9, .steady = true, .reasons = {}};
  return replicate;
}

Replicate exact_replicate(std::int64_t operators) {
  Replicate replicate;
  replicate.group = Group::exact;
  replicate.record.emplace();
  replicate.record->counts.emplace();
  replicate.record->counts->per_step["operators_per_step"] = {operators, operators};
  replicate.record->counts->operators["forward"]["aten::mm"] = operators;
  return replicate;
}

MemoryProfile memory_with(std::vector<std::int64_t> resident) {
  MemoryProfile memory;
  memory.series["resident_bytes"] = std::move(resident);
  memory.series["peak_allocated_bytes"] = {4096};
  memory.peak_by_boundary = {{"forward", 4096}};
  return memory;
}

CaseValues values_of(std::vector<Replicate> replicates) {
  Measurement measurement;
  measurement.case_name = "example/mlp/tiny";
  measurement.host = {{"cpu_model", "Zen"}, {"isa", "avx512"}};
  measurement.replicates = std::move(replicates);
  return case_values(measurement);
}

CaseValues with_resident(std::vector<std::int64_t> resident) {
  Replicate replicate = exact_replicate(1);
  replicate.record->memory = memory_with(std::move(resident));
  return values_of({replicate});
}

TEST(CaseValues, OneValuePerCleanReplicate) {
  const CaseValues values = values_of({timed_replicate(0, 100), timed_replicate(1, 120)});
  EXPECT_EQ(values.case_name, "example/mlp/tiny");
  EXPECT_THAT(values.timed.at("step_time_ns"), ElementsAre(100, 120));
  EXPECT_THAT(values.timed.at("first_step_ns"), ElementsAre(5000, 5000));
  EXPECT_EQ(values.clean_timed, 2);
  EXPECT_THAT(values.unsteady_reasons, IsEmpty());
  EXPECT_FALSE(values.absent.contains("step_time_ns"));
  EXPECT_TRUE(values.absent.contains("forward_ns"));
}

TEST(CaseValues, TaintedAndFailedReplicatesGiveNoTimes) {
  Replicate tainted = timed_replicate(1, 900);
  tainted.taint_reasons = {"steal 4 %"};
  Replicate failed;
  failed.index = 2;
  failed.failure = ReplicateFailure{.kind = FailureKind::crashed, .message = "killed by signal 11", .output_tail = ""};
  const CaseValues values = values_of({timed_replicate(0, 100), tainted, failed});
  EXPECT_THAT(values.timed.at("step_time_ns"), ElementsAre(100));
  EXPECT_EQ(values.clean_timed, 1);
  EXPECT_EQ(values.tainted, 1);
  EXPECT_THAT(values.failures, ElementsAre("timed replicate 2: killed by signal 11"));
}

TEST(CaseValues, AReplicateThatLeftNothingIsAFailure) {
  EXPECT_THAT(values_of({Replicate{}}).failures, ElementsAre("timed replicate 0: neither a record nor a failure"));
}

TEST(CaseValues, WhatThisMachineCannotRunAtAllHasItsReason) {
  Replicate skipped;
  skipped.failure = {FailureKind::gpu_too_small, "this case needs about 49.8 GiB", ""};
  Measurement measurement;
  measurement.replicates = {skipped, skipped};
  EXPECT_EQ(name_of(case_values(measurement).beyond_machine), "gpu-too-small");
  EXPECT_TRUE(case_values(measurement).unavailable);
  measurement.replicates.back().failure->kind = FailureKind::unavailable;
  EXPECT_EQ(name_of(case_values(measurement).beyond_machine), "") << "not every process says so";
}

TEST(CaseValues, AFailureSaysWhetherTheCaseNeedsValues) {
  Replicate replicate;
  replicate.failure = {FailureKind::needs_values, "other work follows other numbers", ""};
  Measurement measurement;
  measurement.replicates = {replicate};
  EXPECT_TRUE(case_values(measurement).needs_values);
  EXPECT_FALSE(case_values(measurement).unavailable) << "it would be skipped";
  measurement.replicates.front().failure->kind = FailureKind::crashed;
  EXPECT_FALSE(case_values(measurement).needs_values);
}

TEST(CaseValues, SequencesStayPerReplicate) {
  const CaseValues values = values_of({exact_replicate(7), exact_replicate(8)});
  EXPECT_THAT(values.exact.at("operators_per_step"), ElementsAre(ElementsAre(7, 7), ElementsAre(8, 8)));
  EXPECT_EQ(values.counts.operators.at("forward").at("aten::mm"), 7);
  EXPECT_EQ(values.clean_exact, 2);
}

TEST(CaseValues, TaintDiscardsTimesNotCounts) {
  Replicate tainted = exact_replicate(7);
  tainted.taint_reasons = {"steal 4 %"};
  const CaseValues alone = values_of({tainted});
  EXPECT_THAT(alone.exact.at("operators_per_step"), ElementsAre(ElementsAre(7, 7)));
  EXPECT_EQ(alone.clean_exact, 0);
  EXPECT_THAT(values_of({tainted, exact_replicate(8)}).exact.at("operators_per_step"), ElementsAre(ElementsAre(8, 8)));
}

TEST(CaseValues, BytesOfTheMemoryPass) {
  Replicate replicate = exact_replicate(1);
  replicate.record->memory = memory_with({10, 10, 10, 10, 20});
  replicate.record->memory->series["host_peak_bytes"] = {99};
  const CaseValues values = values_of({replicate});
  EXPECT_THAT(values.bytes.at("peak_allocated_bytes"), ElementsAre(4096));
  EXPECT_THAT(values.bytes.at("resident_bytes"), ElementsAre(20));
  EXPECT_THAT(values.bytes.at("host_peak_bytes"), ElementsAre(99));
  EXPECT_FALSE(values.bytes.contains("peak_reserved_bytes"));
  EXPECT_EQ(values.peak_by_boundary.at("forward"), 4096);
}

TEST(CaseValues, ALeakIsTheSlopeOfWhatStays) {
  EXPECT_THAT(with_resident({0, 512, 1024, 1536, 2048}).bytes.at("leak_bytes_per_step"), ElementsAre(512));
  EXPECT_THAT(with_resident({0, 1, 1, 2, 2, 3}).bytes.at("leak_bytes_per_step"), ElementsAre(1));
}

TEST(CaseValues, WhatEndsWhereItBeganDidNotLeak) {
  EXPECT_THAT(with_resident({0, 100, 200, 300, 400, 0}).bytes.at("leak_bytes_per_step"), ElementsAre(0));
}

CaseValues with_reserved(std::vector<std::int64_t> reserved) {
  Replicate replicate = exact_replicate(1);
  replicate.record->memory = memory_with(std::vector<std::int64_t>(reserved.size(), 10));
  replicate.record->memory->series["reserved_bytes"] = std::move(reserved);
  return values_of({replicate});
}

TEST(CaseValues, GrowthOfReservedMemoryIsNoLeak) {
  const CaseValues growing = with_reserved({20, 20, 22, 22, 24, 24, 26});
  EXPECT_THAT(growing.bytes.at("reserved_growth_bytes_per_step"), ElementsAre(1));
  EXPECT_THAT(growing.bytes.at("leak_bytes_per_step"), ElementsAre(0));
  EXPECT_THAT(with_reserved({20, 40, 40, 40, 40, 40}).bytes.at("reserved_growth_bytes_per_step"), ElementsAre(0));
}

CaseValues with_series(const std::string& name, std::vector<std::int64_t> series) {
  Replicate replicate = exact_replicate(1);
  replicate.record->memory = memory_with({10, 10, 10, 10, 10});
  replicate.record->memory->series[name] = std::move(series);
  return values_of({replicate});
}

TEST(CaseValues, GrowthOfTheHostHeapCountsFromItsNoiseFloor) {
  const std::int64_t floor = find_metric("host_heap_growth_bytes_per_step")->noise_floor;
  const auto growth = [](std::int64_t per_step) {
    std::vector<std::int64_t> heap;
    for (std::int64_t step = 0; step < 12; ++step) heap.push_back(1'000'000 + step * per_step);
    return with_series("host_heap_bytes", heap).bytes.at("host_heap_growth_bytes_per_step");
  };
  EXPECT_THAT(growth(256 * 1024), ElementsAre(256 * 1024));
  EXPECT_THAT(growth(floor), ElementsAre(floor));
  EXPECT_THAT(growth(floor - 1), ElementsAre(0));
  EXPECT_THAT(growth(-10 * floor), ElementsAre(0)) << "memory that is given back is no improvement of the code";
}

/// Of the host heap, from what it grew by in each step.
std::int64_t heap_growth(const std::vector<std::int64_t>& rises) {
  std::vector<std::int64_t> heap{1'000'000};
  for (const std::int64_t rise : rises) heap.push_back(heap.back() + rise);
  return with_series("host_heap_bytes", heap).bytes.at("host_heap_growth_bytes_per_step").front();
}

TEST(CaseValues, OneJumpOfTheHostHeapIsNoGrowthPerStep) {
  // Of language/char_lm_parallel/tiny beside other work.
  EXPECT_EQ(heap_growth({5312, 2896, -496, 1136, 4624, 130448, 5248, 4256, 4528, 3336, 5872}), 0);
  EXPECT_EQ(heap_growth({0, 0, 0, 0, 0, 500'000, 0, 0, 0, 0, 0}), 0);
  EXPECT_EQ(heap_growth({20'000, 20'000, 20'000, 20'000, 500'000, 20'000, 20'000, 20'000, 20'000}), 20'000);
}

TEST(CaseValues, AHostHeapThatGrowsInLeapsGrows) {
  EXPECT_GT(heap_growth({0, 0, 0, 300'000, 0, 0, 0, 300'000, 0, 0, 0, 300'000}), 16'384);
  EXPECT_GT(heap_growth({100'000, 0, 200'000, 0, 0, 0, 400'000, 0, 0, 0, 0}), 16'384) << "a vector that doubles";
}

std::int64_t held_growth(const std::string& series, std::vector<std::int64_t> levels) {
  return with_series(series, std::move(levels)).bytes.at(std::string(find_series(series)->name)).front();
}

TEST(CaseValues, WhatAProcessHoldsGrowsByWholeThingsAndPages) {
  EXPECT_EQ(held_growth("descriptors", {9, 10, 11, 12, 13, 14}), 1);
  EXPECT_EQ(held_growth("threads", {1, 1, 1, 2, 2, 2, 2, 2}), 0) << "one that starts late";
  EXPECT_EQ(held_growth("threads", {1, 2, 1, 2, 1, 2, 1, 1}), 0);
  EXPECT_EQ(held_growth("mapped_bytes", {-8192, -4096, 0, 4096, 8192}), 4096);
  EXPECT_EQ(held_growth("mapped_bytes", {0, 0, 0, 8 << 20, 8 << 20, 8 << 20, 8 << 20}), 0)
      << "a library that comes late";
  EXPECT_EQ(held_growth("working_bytes", {0, 200, 400, 600, 800, 1000}), 0) << "a log";
}

TEST(CaseValues, WhatRoseIsThatOfTheFirstProcess) {
  Replicate replicate = exact_replicate(1);
  replicate.record->memory = memory_with({10, 10});
  replicate.record->memory->rises["descriptors"] = {.by_boundary = {{"logging", 2}}, .kind = "file", .example = "/a"};
  EXPECT_EQ(values_of({replicate, exact_replicate(1)}).rises.at("descriptors").example, "/a");
}

TEST(CaseValues, ACounterPerStepStaysASequence) {
  EXPECT_THAT(with_series("minor_faults_per_step", {3, 0, 4}).exact.at("minor_faults_per_step"),
              ElementsAre(ElementsAre(3, 0, 4)));
}

TEST(CaseValues, EveryMetricOfAnAbsentSeriesHasTheReason) {
  Replicate replicate = exact_replicate(1);
  replicate.record->memory = memory_with({10, 10, 10, 10, 10});
  replicate.record->memory->absent["host_heap_bytes"] = "malloc is that of libjemalloc.so.2";
  const CaseValues values = values_of({replicate});
  EXPECT_EQ(values.absent.at("host_heap_growth_bytes_per_step"), "malloc is that of libjemalloc.so.2");
  EXPECT_FALSE(values.bytes.contains("host_heap_growth_bytes_per_step"));
}

TEST(CaseValues, WithoutReservedMemoryNothingIsSaidAboutItsGrowth) {
  const CaseValues values = with_reserved({});
  EXPECT_FALSE(values.bytes.contains("reserved_growth_bytes_per_step"));
  EXPECT_FALSE(values.absent.contains("reserved_growth_bytes_per_step"));
}

TEST(CaseValues, KeepsTheLedgerOfTheFirstExactReplicate) {
  Replicate replicate = exact_replicate(1);
  replicate.record->memory = memory_with({10, 10});
  replicate.record->memory->ledger =
      MemoryLedger{.peak_bytes = 30, .step = 2, .boundary = "forward", .bytes = {{"setup", 30}}};
  ASSERT_TRUE(values_of({replicate}).ledger);
  EXPECT_EQ(values_of({replicate}).ledger->bytes.at("setup"), 30);
}

TEST(CaseValues, FourPointsShowNoLeak) {
  const CaseValues values = with_resident({0, 512, 1024, 1536});
  EXPECT_FALSE(values.bytes.contains("leak_bytes_per_step"));
  EXPECT_EQ(values.absent.at("leak_bytes_per_step"), "needs 5 steps of the memory pass, has 4");
}

TEST(CaseValues, NumericsPerReplicate) {
  Replicate replicate = exact_replicate(1);
  replicate.record->numerics = NumericTrace{.loss = {2, 1}, .grad_norm = {}, .loss_digest = "", .parameter_digest = ""};
  EXPECT_EQ(values_of({replicate, replicate}).numerics.size(), 2u);
}

TEST(CaseValues, UnsteadyReplicatesGiveTheirReasons) {
  Replicate with_reason = timed_replicate(3, 100);
  with_reason.record->warmup->steady = false;
  with_reason.record->warmup->reasons = {"still falling"};
  Replicate without_reason = timed_replicate(4, 100);
  without_reason.record->warmup->steady = false;
  Replicate cold = timed_replicate(5, 100);
  cold.record->timed.at("e2e").steps[0].cold_shape = true;
  with_reason.record->warmup->reasons.push_back("drifted");
  const CaseValues values = values_of({timed_replicate(0, 100), with_reason, without_reason, cold});
  EXPECT_EQ(values.unsteady, 3);  // replicates, not reasons
  EXPECT_THAT(values.unsteady_reasons,
              ElementsAre("replicate 3: still falling", "replicate 3: drifted",
                          "replicate 4: warm-up did not reach a steady state",
                          "replicate 5: measured nothing: every step met a shape never seen before"));
}

TEST(CaseValues, TheReferenceCaseIsAMetricOfItsOwn) {
  Replicate reference = timed_replicate(0, 50);
  reference.group = Group::reference;
  Replicate tainted = reference;
  tainted.taint_reasons = {"steal 4 %"};
  const CaseValues values = values_of({timed_replicate(0, 100), reference, tainted});
  EXPECT_THAT(values.timed.at("reference_step_ns"), ElementsAre(50));
  EXPECT_THAT(values.timed.at("step_time_ns"), ElementsAre(100));
  EXPECT_EQ(values.clean_timed, 1);
}

TEST(CaseValues, InProcessFactsWinOverTheHosts) {
  Replicate exact = exact_replicate(1);
  exact.record->fingerprint = {{"isa", "avx2"}, {"threads", "1"}};
  Replicate timed = timed_replicate(0, 100);
  timed.record->fingerprint = {{"isa", "avx512_vnni"}, {"threads", "8"}};
  const CaseValues values = values_of({timed, exact});
  EXPECT_EQ(values.exact_fingerprint, (Fingerprint{{"cpu_model", "Zen"}, {"isa", "avx2"}, {"threads", "1"}}));
  EXPECT_EQ(values.timed_fingerprint, (Fingerprint{{"cpu_model", "Zen"}, {"isa", "avx512_vnni"}, {"threads", "8"}}));
}

TEST(CaseValues, AMetricMeasuredOnceIsNotAbsent) {
  Replicate without = timed_replicate(0, 100);
  without.record->timed.clear();
  const CaseValues values = values_of({without, timed_replicate(1, 100)});
  EXPECT_THAT(values.timed.at("step_time_ns"), ElementsAre(100));
  EXPECT_FALSE(values.absent.contains("step_time_ns"));
}

TEST(CaseValues, InstructionsAreTheMeanOverTheSteps) {
  Replicate replicate = exact_replicate(1);  // two counted steps
  replicate.record->instructions =
      InstructionCounts{.per_step = {100, 100, 100, 140}, .by_boundary = {{"forward", 440}}};
  const CaseValues values = values_of({replicate});
  EXPECT_THAT(values.bytes.at("host_instructions_per_step"), ElementsAre(110));
  EXPECT_EQ(values.counts.by_boundary.at("host_instructions_per_step").at("forward"), 2 * 110);
  EXPECT_THAT(values.exact_processes.at(0).instructions, ElementsAre(100, 100, 100, 140))
      << "for what grows with steps";
}

TEST(CaseValues, ProcessesOfSkippedUpdatesOnlyMeasuredNothing) {
  Replicate skipped = timed_replicate(2, 100);
  for (StepSample& step : skipped.record->timed.at("e2e").steps) step.skipped_update = true;
  const CaseValues values = values_of({skipped});
  EXPECT_EQ(values.skipped_steps, std::ssize(skipped.record->timed.at("e2e").steps));
  EXPECT_EQ(values.cold_steps, 0);
  EXPECT_FALSE(values.timed.contains("step_time_ns"));
  EXPECT_EQ(values.unsteady, 1);
  EXPECT_THAT(values.unsteady_reasons,
              ElementsAre("replicate 2: measured nothing: in every window the loss scaler skipped an update"));
}

TEST(CaseValues, ACheckpointIsAsLargeAsItsLastSave) {
  Replicate replicate = exact_replicate(1);
  replicate.record->checkpoint = CheckpointSaves{.bytes = {5000, 4096}};
  EXPECT_THAT(values_of({replicate}).bytes.at("checkpoint_bytes"), ElementsAre(4096));
  EXPECT_EQ(values_of({exact_replicate(1)}).bytes.count("checkpoint_bytes"), 0U);
}

TEST(CaseValues, SayWhetherTheProgramChangedASetting) {
  Replicate changed = exact_replicate(1);
  changed.record.reset();
  changed.failure = {FailureKind::changed_setting, "was asked for threads 1 and ended with 2", ""};
  EXPECT_TRUE(values_of({changed}).changed_setting);
  Replicate crashed = changed;
  crashed.failure->kind = FailureKind::crashed;
  EXPECT_FALSE(values_of({crashed, changed}).changed_setting) << "the first failure is the one that is told";
}

}  // namespace
}  // namespace stepgate
