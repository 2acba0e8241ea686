#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Gt;
using testing::Lt;

ScriptedStepPlan step_with_memory() {
  ScriptedStepPlan plan;
  plan.at(Boundary::h2d) = {.kept_bytes = 16};
  plan.at(Boundary::forward) = {.kept_bytes = 100, .temporary_bytes = 30};
  plan.at(Boundary::backward) = {.kept_bytes = 50, .temporary_bytes = 5};
  return plan;
}

MemoryProfile memory_of(std::vector<ScriptedStepPlan> script, StepCounts steps, FakeDevice device = {}) {
  FakeBackend backend(device);
  ScriptedStep step(backend, std::move(script));
  step.add_parameter(1000);
  return run_memory(step, backend, steps);
}

TEST(MemoryPass, TellsThePeakOfEachBoundaryApart) {
  const MemoryProfile memory = memory_of({step_with_memory()}, {.memory = 2, .exact_warmup = 1});

  EXPECT_EQ(memory.peak_by_boundary, (std::map<std::string, std::int64_t>{{"data_wait", 1000},
                                                                          {"h2d", 1016},
                                                                          {"forward", 1146},
                                                                          {"backward", 1171},
                                                                          {"optimizer", 1166},
                                                                          {"logging", 1166}}));
  EXPECT_THAT(memory.peak_bytes, ElementsAre(1171, 1171));
  EXPECT_EQ(memory.series.at("peak_allocated_bytes").front(), 1171);
}

TEST(MemoryPass, KnowsABoundaryOfTheLoopsOwnFromItsFirstStepOn) {
  FakeBackend backend;
  ScriptedStepPlan plan = step_with_memory();
  plan.at(own_boundary(0)) = {.temporary_bytes = 700};
  ScriptedStep step(backend, {plan});
  step.name_boundary("critic", Boundary::forward);
  const MemoryProfile memory = run_memory(step, backend, {.memory = 2, .exact_warmup = 0});

  EXPECT_EQ(memory.peak_by_boundary.at("critic"), 716);
  EXPECT_EQ(memory.peak_by_boundary.at("forward"), 146);
  EXPECT_EQ(memory.ledger->boundary, "critic");
  EXPECT_EQ(memory.ledger->step, 0);
  EXPECT_EQ(memory.ledger->bytes.at("temporaries"), 700);
  EXPECT_EQ(memory.timeline.at(1).boundary, "critic");
}

TEST(MemoryPass, ShowsALeakAsWhatStaysAtEachStepsEnd) {
  ScriptedStepPlan plan = step_with_memory();
  plan.leaked_bytes = 8;
  const MemoryProfile memory = memory_of({plan}, {.memory = 3, .exact_warmup = 2});

  EXPECT_THAT(memory.series.at("resident_bytes"), ElementsAre(1024, 1032, 1040));
  EXPECT_THAT(memory.peak_bytes, ElementsAre(1187, 1195, 1203));
  EXPECT_EQ(memory.peak_by_boundary.at("backward"), 1203);
}

TEST(MemoryPass, BatchAndLossAreReleasedBeforeTheResidentBytesAreRead) {
  EXPECT_THAT(memory_of({step_with_memory()}, {.memory = 2}).series.at("resident_bytes"), ElementsAre(1000, 1000));
}

TEST(MemoryPass, PeakOfTheWarmUpCountsInTheWholeOnly) {
  std::vector<ScriptedStepPlan> script(3, step_with_memory());
  script[0].at(Boundary::optimizer).temporary_bytes = 900;
  const MemoryProfile memory = memory_of(script, {.memory = 2, .exact_warmup = 1});

  EXPECT_EQ(memory.series.at("peak_allocated_bytes").front(), 2066);
  EXPECT_EQ(memory.series.at("peak_reserved_bytes").front(), 2066);
  EXPECT_THAT(memory.peak_bytes, ElementsAre(1171, 1171));
  EXPECT_EQ(memory.peak_by_boundary.at("optimizer"), 1166);
}

TEST(MemoryPass, PeaksFromBeforeThePassDoNotCount) {
  FakeBackend backend;
  backend.deallocate(backend.allocate(5000));
  ScriptedStep step(backend, {step_with_memory()});
  EXPECT_EQ(run_memory(step, backend, {.memory = 1, .exact_warmup = 0}).series.at("peak_allocated_bytes").front(), 171);
}

TEST(MemoryPass, ReservedBytesAreAbsentWithoutACachingAllocator) {
  const MemoryProfile memory = memory_of({step_with_memory()}, {.memory = 1}, test::like_cpu);

  EXPECT_FALSE(memory.series.contains("peak_reserved_bytes"));
  EXPECT_TRUE(memory.series.contains("host_peak_bytes"));
}

using Bytes = std::map<std::string, std::int64_t>;

/// One of each kind of memory use in a training step.
ScriptedStepPlan step_of_all_kinds() {
  ScriptedStepPlan plan;
  plan.at(Boundary::data_wait) = {.kept_bytes = 8, .temporary_bytes = 2};
  plan.at(Boundary::h2d) = {.lasting_bytes = 16};
  plan.at(Boundary::forward) = {.kept_bytes = 100, .temporary_bytes = 30, .lasting_bytes = 40};
  plan.at(Boundary::backward) = {.kept_bytes = 5, .temporary_bytes = 7, .gradient_bytes = 50};
  plan.at(Boundary::optimizer) = {.temporary_bytes = 3, .lasting_bytes = 200};
  plan.at(Boundary::logging) = {.temporary_bytes = 300, .lasting_bytes = 1};
  return plan;
}

std::int64_t sum_of(const Bytes& bytes) {
  std::int64_t sum = 0;
  for (const auto& [kind, amount] : bytes) sum += amount;
  return sum;
}

MemoryProfile profile_of_all_kinds(FakeDevice device = {}) {
  FakeBackend backend(device);
  backend.allocate(17);  // resident data
  ScriptedStep step(backend, {step_of_all_kinds()});
  step.add_parameter(1000);
  return run_memory(step, backend, {.memory = 3, .exact_warmup = 1});
}

TEST(MemoryPass, LedgerOfEveryKindAddsUpToTheAllocatorsOwnPeak) {
  const MemoryProfile memory = profile_of_all_kinds();

  ASSERT_TRUE(memory.ledger);
  EXPECT_EQ(memory.ledger->bytes, (Bytes{{"parameters", 1000},
                                         {"setup", 17},
                                         {"inputs", 24},
                                         {"activations", 100},
                                         {"workspace", 41},
                                         {"temporaries", 305},
                                         {"optimizer_state", 200}}));
  EXPECT_EQ(sum_of(memory.ledger->bytes), memory.ledger->peak_bytes);
  EXPECT_EQ(memory.ledger->peak_bytes, memory.series.at("peak_allocated_bytes").front());
  EXPECT_EQ(memory.ledger->boundary, "logging");
  EXPECT_EQ(memory.ledger->step, 0);
}

TEST(MemoryPass, GradientsAreKnownByTheirMark) {
  ScriptedStepPlan plan = step_of_all_kinds();
  plan.at(Boundary::logging) = {};
  FakeBackend backend;
  ScriptedStep step(backend, {plan});
  const MemoryProfile memory = run_memory(step, backend, {.memory = 1, .exact_warmup = 1});

  EXPECT_EQ(memory.ledger->boundary, "backward");
  EXPECT_EQ(memory.ledger->bytes.at("gradients"), 50);
  EXPECT_EQ(memory.ledger->bytes.at("temporaries"), 5 + 7);
}

TEST(MemoryPass, RoundingIsARowOfItsOwnAndTheSumStaysExact) {
  const MemoryProfile memory = profile_of_all_kinds({.block_bytes = 64});

  EXPECT_EQ(memory.ledger->bytes.at("parameters"), 1000);
  EXPECT_GT(memory.ledger->bytes.at("rounding"), 0);
  EXPECT_EQ(sum_of(memory.ledger->bytes), memory.series.at("peak_allocated_bytes").front());
  EXPECT_EQ(memory.ledger->fragmentation_bytes, 0);
  EXPECT_EQ(memory.by_boundary.at("forward").allocated_bytes - *memory.by_boundary.at("forward").requested_bytes, 346);
}

TEST(MemoryPass, FragmentationComesOnTopOfThePeak) {
  ScriptedStepPlan plan = step_with_memory();
  plan.wasted_bytes = 70;
  const MemoryProfile memory = memory_of({plan}, {.memory = 4, .exact_warmup = 2});

  EXPECT_EQ(memory.ledger->step, 0);
  EXPECT_EQ(memory.ledger->fragmentation_bytes, 0);  // the first of equal peaks
  EXPECT_THAT(memory.series.at("reserved_bytes"),
              ElementsAre(1171 + 3 * 70, 1171 + 4 * 70, 1171 + 5 * 70, 1171 + 6 * 70));
  EXPECT_THAT(memory.series.at("resident_bytes"), ElementsAre(1000, 1000, 1000, 1000));

  std::vector<ScriptedStepPlan> script(2, plan);
  script[0].wasted_bytes = 5;
  script[1].at(Boundary::backward).temporary_bytes += 1;
  EXPECT_EQ(memory_of(script, {.memory = 2}).ledger->fragmentation_bytes, 5);
}

TEST(MemoryPass, TellsWhatEachBoundaryLeavesAllocated) {
  const MemoryProfile memory = memory_of({step_with_memory()}, {.memory = 2, .exact_warmup = 1});

  const BoundaryMemory& forward = memory.by_boundary.at("forward");
  EXPECT_EQ(forward.peak_allocated_bytes, 1146);
  EXPECT_EQ(forward.allocated_bytes, 1116);
  EXPECT_EQ(forward.requested_bytes, 1116);
  EXPECT_EQ(forward.active_bytes, 1116);
  EXPECT_EQ(forward.reserved_bytes, 1171);
}

TEST(MemoryPass, WhatADeviceCannotTellIsAbsent) {
  const MemoryProfile cpu = memory_of({step_with_memory()}, {.memory = 1}, test::like_cpu);
  EXPECT_FALSE(cpu.by_boundary.at("forward").reserved_bytes);
  EXPECT_FALSE(cpu.by_boundary.at("forward").active_bytes);
  EXPECT_FALSE(cpu.series.contains("reserved_bytes"));
  ASSERT_TRUE(cpu.ledger);
  EXPECT_FALSE(cpu.ledger->fragmentation_bytes);

  const MemoryProfile blind = memory_of({step_with_memory()}, {.memory = 1}, {.traces_memory = false});
  EXPECT_FALSE(blind.ledger);
  EXPECT_TRUE(blind.timeline.empty());
  EXPECT_EQ(blind.series.at("peak_allocated_bytes").front(), 1171);
}

TEST(MemoryPass, TimelineLeadsFromTheStepsBeginToThePeakAndBack) {
  const MemoryProfile memory = memory_of({step_with_memory()}, {.memory = 1});

  EXPECT_EQ(memory.timeline_base_bytes, 1000);
  std::vector<std::int64_t> live = {memory.timeline_base_bytes};
  for (const MemoryEvent& event : memory.timeline) live.push_back(live.back() + event.bytes);
  EXPECT_THAT(live, ElementsAre(1000, 1016, 1116, 1146, 1116, 1166, 1171, 1166, 1150, 1050, 1000));
  EXPECT_EQ(memory.timeline.front().kind, "inputs");
  EXPECT_EQ(memory.timeline.front().boundary, "h2d");
  EXPECT_EQ(memory.timeline.back().boundary, "release");
}

constexpr FakeDevice with_host_counters = {.events = false, .caching_allocator = false, .minor_faults = true};

/// The increase of a series from one step's end to the next.
std::vector<std::int64_t> rises(const std::vector<std::int64_t>& series) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 1; i < series.size(); ++i) result.push_back(series[i] - series[i - 1]);
  return result;
}

TEST(MemoryPass, PlainMemoryThatEachStepAddsIsOnTheHostHeapOnly) {
  ScriptedStepPlan plan = step_with_memory();
  plan.heap_bytes = 256 * 1024;
  const MemoryProfile memory = memory_of({plan}, {.memory = 6, .exact_warmup = 2}, with_host_counters);
  if (memory.absent.contains("host_heap_bytes")) GTEST_SKIP() << memory.absent.at("host_heap_bytes");

  // glibc rounds such a block up to whole pages, and the log of the fake device grows by some hundred bytes per step.
  EXPECT_THAT(rises(memory.series.at("host_heap_bytes")), Each(AllOf(Gt(252 * 1024), Lt(264 * 1024))));
  EXPECT_THAT(memory.series.at("resident_bytes"), Each(1000));
}

TEST(MemoryPass, AStepThatKeepsNothingLeavesTheHostHeapLevel) {
  const MemoryProfile memory = memory_of({step_of_all_kinds()}, {.memory = 8, .exact_warmup = 2}, with_host_counters);
  if (memory.absent.contains("host_heap_bytes")) GTEST_SKIP() << memory.absent.at("host_heap_bytes");

  const auto& heap = memory.series.at("host_heap_bytes");
  EXPECT_LT(heap.back() - heap.front(), 8 * 512);
}

TEST(MemoryPass, CountsThePageFaultsOfEachStep) {
  std::vector<ScriptedStepPlan> script(3, step_with_memory());
  script[0].page_faults = 1000;
  script[1].page_faults = 7;
  script[2].page_faults = 9;
  const MemoryProfile memory = memory_of(script, {.memory = 3, .exact_warmup = 1}, with_host_counters);

  EXPECT_THAT(memory.series.at("minor_faults_per_step"), ElementsAre(7, 9, 9));
}

TEST(MemoryPass, RefusesZeroSteps) { EXPECT_THROW(memory_of({step_with_memory()}, {.memory = 0}), Error); }

TEST(MemoryPass, CountsWhatTheAllocatorHadToDoAfterTheWarmUp) {
  std::vector<ScriptedStepPlan> script(4, step_with_memory());
  script[0].allocator_retries = 5;  // warm-up
  script[2].allocator_retries = 2;
  script[3].pinned_bytes = 64;
  const MemoryProfile memory = memory_of(script, {.memory = 3, .exact_warmup = 1});

  EXPECT_THAT(memory.series.at("allocator_retries_per_step"), ElementsAre(0, 2, 0));
  EXPECT_THAT(memory.series.at("pinned_allocations_per_step"), ElementsAre(0, 0, 1));
  EXPECT_EQ(memory.series.at("peak_pinned_bytes").back(), 64);
}

TEST(MemoryPass, MarksTheLogAroundEachWatchedStep) {
  std::vector<std::string> calls;
  test::MarkedBackend backend(calls);
  ScriptedStep step(backend, {step_with_memory()});
  backend.observe([&](const FakeCall& call) {
    if (call.what == "load" || call.what == "synchronize") calls.emplace_back(call.what);
  });
  run_memory(step, backend, {.memory = 2, .exact_warmup = 1});
  backend.observe({});
  EXPECT_THAT(calls, ElementsAre("load", "synchronize", "memory begin 0", "load", "synchronize", "memory 0",
                                 "memory begin 1", "load", "synchronize", "memory 1"));
}

}  // namespace
}  // namespace stepgate
