// Counters of the process: the growth of the host heap is judged from zero, page faults are not judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/example_case.h"

namespace stepgate {
namespace {

TEST(ProcessCounters, HostHeapThatGrowsIsRedWithoutAStoredValue) {
  ExampleCase example = example_case();
  example.values.bytes["host_heap_growth_bytes_per_step"] = {262160, 262176};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(verdict, "host_heap_growth_bytes_per_step").reason), "leak");

  example.values.bytes["host_heap_growth_bytes_per_step"] = {0, 0};
  EXPECT_EQ(example.judge().status, Status::pass);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "host_heap_growth_bytes_per_step").reason), "equal");

  example.values.bytes["host_heap_growth_bytes_per_step"] = {0, 262176};
  EXPECT_EQ(example.judge().status, Status::inconclusive);
}

TEST(ProcessCounters, ADescriptorInEachStepIsRedWithoutAStoredValue) {
  ExampleCase example = example_case();
  example.values.bytes["descriptors_growth_per_step"] = {1, 1};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(verdict, "descriptors_growth_per_step").reason), "leak");
  EXPECT_EQ(verdict_on(verdict, "descriptors_growth_per_step").detail,
            "0 new descriptors -> 1 new descriptors in each step (isa avx2)");

  example.values.bytes = {{"shared_growth_bytes_per_step", {4096, 4096}}};
  EXPECT_NE(verdict_on(example.judge(), "shared_growth_bytes_per_step").status, Status::failed);
  EXPECT_FALSE(verdict_on(example.judge(), "shared_growth_bytes_per_step").gating) << "a ring buffer is filled";
}

TEST(ProcessCounters, ALevelThatThisMachineCannotReadIsNotMissed) {
  ExampleCase example = example_case();
  example.values.absent["child_processes_growth_per_step"] = "/proc does not tell the parents of processes";
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(ProcessCounters, ABaselineWithoutAnExactHalfJudgesNoGrowth) {
  ExampleCase example = example_case();
  example.values.bytes = {{"host_heap_growth_bytes_per_step", {262160, 262176}}};
  example.portable = {};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "host_heap_growth_bytes_per_step").reason), "new-metric");
}

TEST(ProcessCounters, AnAcceptedGrowthOfTheHostHeapIsItsBaseline) {
  ExampleCase example = example_case();
  example.portable.bytes["host_heap_growth_bytes_per_step"] = {8192};
  example.values.bytes["host_heap_growth_bytes_per_step"] = {8192, 8192};
  EXPECT_EQ(example.judge().status, Status::pass);
  example.values.bytes["host_heap_growth_bytes_per_step"] = {16384, 16384};
  EXPECT_EQ(example.judge().status, Status::regressed);
}

TEST(ProcessCounters, GrowthBelowTheFloorIsHeldAgainstThatOfTheBaseBuild) {
  const auto grows_by = [](double per_step) {
    std::vector<LevelGrowth> growths;
    for (int process = 0; process < 6; ++process)
      growths.push_back({.per_step = per_step + 20 * process, .noise = 250, .steps = 11});
    return growths;
  };
  ExampleCase example = example_case();
  example.values.bytes["host_heap_growth_bytes_per_step"] = std::vector<std::int64_t>(6, 0);
  example.portable.bytes["host_heap_growth_bytes_per_step"] = {0};
  example.values.growth["host_heap_growth_bytes_per_step"] = grows_by(12'000);
  EXPECT_EQ(example.judge().status, Status::pass) << "the file holds what the floor left of it";

  example.portable.growth["host_heap_growth_bytes_per_step"] = grows_by(300);
  EXPECT_EQ(example.judge().status, Status::regressed) << "the file holds what its processes grew by";
  example.portable.growth["host_heap_growth_bytes_per_step"] = grows_by(11'900);
  EXPECT_EQ(example.judge().status, Status::pass);
  example.portable.growth.clear();

  CaseValues base = example.values;
  base.growth["host_heap_growth_bytes_per_step"] = grows_by(300);
  example.base_group = &base;
  EXPECT_EQ(example.judge().status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(example.judge(), "host_heap_growth_bytes_per_step").reason), "leak");
  base.growth["host_heap_growth_bytes_per_step"] = grows_by(11'900);
  EXPECT_EQ(verdict_on(example.judge(), "host_heap_growth_bytes_per_step").status, Status::pass);
}

TEST(ProcessCounters, GrowthInChunksIsRedFromAStoredZeroAndNewToAnOlderBaseline) {
  const std::string chunks = "host_heap_chunks_bytes_per_step";
  const LevelGrowth growing{.per_step = 65'536, .noise = 40, .steps = 48, .rises = 3, .repeated = true};
  ExampleCase example = example_case();
  example.values.bytes[chunks] = {65'536, 65'544};
  example.values.growth[chunks] = {growing, growing};
  EXPECT_EQ(example.judge().status, Status::pass);
  EXPECT_EQ(name_of(verdict_on(example.judge(), chunks).reason), "new-metric");

  example.portable.bytes[chunks] = {0};
  EXPECT_EQ(example.judge().status, Status::regressed) << "several machines merged it, so it holds no growth";
  EXPECT_EQ(name_of(verdict_on(example.judge(), chunks).reason), "leak");
  example.portable.growth[chunks] = {{.steps = 18}, {.steps = 18}};
  EXPECT_EQ(name_of(verdict_on(example.judge(), chunks).reason), "leak");
  example.portable.bytes[chunks] = {65'536, 65'544};
  example.portable.growth[chunks] = {growing, growing};
  EXPECT_EQ(example.judge().status, Status::pass) << "as accepted";

  example.portable.bytes[chunks] = {0};
  example.portable.growth.clear();
  CaseValues base = example.values;
  base.bytes[chunks] = std::vector<std::int64_t>(6, 0);
  base.growth[chunks] = std::vector<LevelGrowth>(6, {.steps = 18});
  example.values.bytes[chunks] = std::vector<std::int64_t>(6, 65'536);
  example.values.growth[chunks] = std::vector<LevelGrowth>(6, growing);
  example.base_group = &base;
  EXPECT_EQ(verdict_on(example.judge(), chunks).status, Status::regressed);
  base.growth[chunks] = example.values.growth[chunks];
  base.bytes[chunks] = example.portable.bytes[chunks] = example.values.bytes[chunks];
  EXPECT_EQ(verdict_on(example.judge(), chunks).status, Status::pass);
}

TEST(ProcessCounters, AHostHeapThatTheBaselineHasAndThisProcessCannotReadFails) {
  ExampleCase example = example_case();
  example.portable.bytes["host_heap_growth_bytes_per_step"] = {0};
  example.values.absent["host_heap_growth_bytes_per_step"] = "malloc is that of libjemalloc.so.2";
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::failed) << "who links another malloc loses the gate of leaks";
  EXPECT_EQ(name_of(verdict.reason), "metric-missing");
  EXPECT_THAT(verdict.detail, testing::HasSubstr("malloc is that of libjemalloc.so.2"));
  example.values.absent.clear();
  EXPECT_EQ(verdict_on(example.judge(), "host_heap_growth_bytes_per_step").status, Status::failed);
}

TEST(ProcessCounters, WhatNeitherTheBaselineNorThisProcessHasIsNotMissed) {
  ExampleCase example = example_case();
  example.values.absent = {{"host_heap_growth_bytes_per_step", "malloc is that of libjemalloc.so.2"},
                           {"device_syncs_per_step", "no CUDA runtime is called"},
                           {"allocator_retries_per_step", "this device has no caching allocator"}};
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(ProcessCounters, AMissingValueThatDecidesNothingIsSkippedAndTheCaseIsGreen) {
  ExampleCase example = example_case();
  example.portable.bytes["host_peak_bytes"] = {9};
  EXPECT_EQ(verdict_on(example.judge(), "host_peak_bytes").status, Status::skipped);
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(ProcessCounters, InstructionsAreShownWhereThePortableBaselineCannotHoldThem) {
  ExampleCase example = example_case();
  example.values.bytes["host_instructions_per_step"] = {1'000'000, 1'000'400};
  const MetricVerdict verdict = verdict_on(example.judge(), "host_instructions_per_step");
  EXPECT_EQ(verdict.status, Status::not_judged);
  EXPECT_EQ(name_of(verdict.reason), "not-stored");
  EXPECT_EQ(verdict.current, 1'000'400);
  EXPECT_EQ(example.judge().status, Status::pass);
}

TEST(ProcessCounters, InstructionsAloneAreNoJudgedHalf) {
  ExampleCase example = example_case();
  example.judge_timed = false;
  example.portable = {};
  example.portable.exact["samples_per_step"] = {32};
  example.values.exact = {{"samples_per_step", {{32}}}};
  example.values.bytes = {{"host_instructions_per_step", {1'000'000}}};
  example.values.numerics.clear();
  EXPECT_EQ(example.judge().status, Status::no_baseline) << "no gating metric was held against anything";
}

TEST(ProcessCounters, InstructionsThatTheBaseBuildHasAndTheHeadLacksFail) {
  ExampleCase example = example_case();
  example.portable.bytes["host_instructions_per_step"] = {1'000'000};
  example.values.absent["host_instructions_per_step"] = "this machine has no counter of instructions";
  EXPECT_EQ(verdict_on(example.judge(), "host_instructions_per_step").status, Status::failed);
  EXPECT_EQ(example.judge().status, Status::failed);
}

TEST(ProcessCounters, PageFaultsAreShownAndNotJudged) {
  ExampleCase example = example_case();
  example.values.exact["minor_faults_per_step"] = {{4, 6}, {900, 900}};
  const MetricVerdict verdict = verdict_on(example.judge(), "minor_faults_per_step");
  EXPECT_EQ(verdict.status, Status::not_judged);
  EXPECT_EQ(name_of(verdict.reason), "not-judged");
  EXPECT_FALSE(verdict.gating);
  EXPECT_EQ(verdict.current, 5);
}

TEST(AllocatorCounters, ARetryThatNoBaselineKnowsIsRed) {
  ExampleCase example = example_case();
  example.values.exact["allocator_retries_per_step"] = {{0, 1, 0, 0}, {0, 1, 0, 0}};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(verdict, "allocator_retries_per_step").reason), "above-limit");

  example.values.exact["allocator_retries_per_step"] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  EXPECT_EQ(verdict_on(example.judge(), "allocator_retries_per_step").status, Status::pass);
}

TEST(AllocatorCounters, AnAcceptedRetryIsItsBaselineAndOneThatIsNoLongerCountedFails) {
  ExampleCase example = example_case();
  example.portable.exact["allocator_retries_per_step"] = {1, 1};
  example.values.exact["allocator_retries_per_step"] = {{1, 1}, {1, 1}};
  EXPECT_EQ(verdict_on(example.judge(), "allocator_retries_per_step").status, Status::pass);
  example.values.exact.erase("allocator_retries_per_step");
  example.values.absent["allocator_retries_per_step"] = "this device has no caching allocator";
  EXPECT_EQ(verdict_on(example.judge(), "allocator_retries_per_step").status, Status::failed);
}

TEST(AllocatorCounters, ABaselineWithoutAnExactHalfJudgesNoRetry) {
  ExampleCase example = example_case();
  example.values.exact = {{"allocator_retries_per_step", {{1, 1}, {1, 1}}}};
  example.portable = {};
  EXPECT_EQ(name_of(verdict_on(example.judge(), "allocator_retries_per_step").reason), "new-metric");
}

TEST(AllocatorCounters, PinnedMemoryIsComparedAndDecidesNothingAndMemoryOutsideIsOnlyShown) {
  ExampleCase example = example_case();
  example.portable.exact["pinned_allocations_per_step"] = {0, 0};
  example.values.exact["pinned_allocations_per_step"] = {{1, 1}, {1, 1}};
  example.values.bytes["outside_allocator_bytes"] = {1000, 2000};
  const CaseVerdict verdict = example.judge();
  EXPECT_EQ(verdict_on(verdict, "pinned_allocations_per_step").status, Status::regressed);
  EXPECT_EQ(name_of(verdict_on(verdict, "outside_allocator_bytes").reason), "not-judged");
  EXPECT_EQ(verdict.status, Status::pass);
}

}  // namespace
}  // namespace stepgate
