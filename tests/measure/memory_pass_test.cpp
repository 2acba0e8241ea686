#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/exact_passes.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

ScriptedStepPlan step_with_memory() {
  ScriptedStepPlan plan;
  plan.at(Boundary::h2d) = {.kept_bytes = 16};
  plan.at(Boundary::forward) = {.kept_bytes = 100, .temporary_bytes = 30};
  plan.at(Boundary::backward) = {.kept_bytes = 50, .temporary_bytes = 5};
  return plan;
}

MemoryProfile memory_of(std::vector<ScriptedStepPlan> script, StepCounts steps, FakeDevice device = {}) {
  FakeBackend backend(device);
  backend.allocate(1000);  // parameters
  ScriptedStep step(backend, std::move(script));
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
  EXPECT_EQ(memory.peak_allocated_bytes, 1171);
}

TEST(MemoryPass, ShowsALeakAsWhatStaysAtEachStepsEnd) {
  ScriptedStepPlan plan = step_with_memory();
  plan.leaked_bytes = 8;
  const MemoryProfile memory = memory_of({plan}, {.memory = 3, .exact_warmup = 2});

  EXPECT_THAT(memory.resident_bytes, ElementsAre(1024, 1032, 1040));
  EXPECT_THAT(memory.peak_bytes, ElementsAre(1187, 1195, 1203));
  EXPECT_EQ(memory.peak_by_boundary.at("backward"), 1203);
}

TEST(MemoryPass, BatchAndLossAreReleasedBeforeTheResidentBytesAreRead) {
  EXPECT_THAT(memory_of({step_with_memory()}, {.memory = 2}).resident_bytes, ElementsAre(1000, 1000));
}

TEST(MemoryPass, PeakOfTheWarmUpCountsInTheWholeOnly) {
  std::vector<ScriptedStepPlan> script(3, step_with_memory());
  script[0].at(Boundary::optimizer).temporary_bytes = 900;
  const MemoryProfile memory = memory_of(script, {.memory = 2, .exact_warmup = 1});

  EXPECT_EQ(memory.peak_allocated_bytes, 2066);
  EXPECT_EQ(memory.peak_reserved_bytes, 2066);
  EXPECT_THAT(memory.peak_bytes, ElementsAre(1171, 1171));
  EXPECT_EQ(memory.peak_by_boundary.at("optimizer"), 1166);
}

TEST(MemoryPass, PeaksFromBeforeThePassDoNotCount) {
  FakeBackend backend;
  backend.allocate(5000);
  backend.deallocate(5000);
  ScriptedStep step(backend, {step_with_memory()});
  EXPECT_EQ(run_memory(step, backend, {.memory = 1, .exact_warmup = 0}).peak_allocated_bytes, 171);
}

TEST(MemoryPass, ReservedBytesAreAbsentWithoutACachingAllocator) {
  const MemoryProfile memory = memory_of({step_with_memory()}, {.memory = 1}, test::like_cpu);

  EXPECT_FALSE(memory.peak_reserved_bytes);
  EXPECT_TRUE(memory.host_peak_bytes);
}

TEST(MemoryPass, RefusesZeroSteps) { EXPECT_THROW(memory_of({step_with_memory()}, {.memory = 0}), Error); }

}  // namespace
}  // namespace stepgate
