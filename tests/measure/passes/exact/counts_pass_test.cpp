#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/metric.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Counts = std::map<std::string, std::int64_t>;

ScriptedStepPlan counted_step() {
  ScriptedStepPlan plan = test::queued_step();
  plan.at(Boundary::forward) = {.kept_bytes = 100, .operators = {{"aten::linear", 2}, {"aten::relu", 1}}, .kernels = 3};
  plan.at(Boundary::backward) = {.kept_bytes = 40, .temporary_bytes = 10, .operators = {{"aten::mm", 4}}, .kernels = 4};
  plan.at(Boundary::logging) = {.operators = {{"aten::item", 1}}, .host_syncs = 1};
  return plan;
}

WorkCounts counts_of(std::vector<ScriptedStepPlan> script, StepCounts steps, bool kernels = true) {
  FakeBackend backend;
  ScriptedCounter counter(kernels);
  ScriptedStep step(backend, std::move(script), &counter);
  return run_counts(step, backend, counter, steps);
}

TEST(CountsPass, CountsEachStepByMetric) {
  const WorkCounts counts = counts_of({counted_step()}, {.counts = 2, .exact_warmup = 1});

  EXPECT_THAT(
      counts.per_step,
      ElementsAre(
          Pair("allocated_bytes_per_step", ElementsAre(150, 150)), Pair("allocations_per_step", ElementsAre(3, 3)),
          Pair("cold_shapes_after_warmup", ElementsAre(0, 0)), Pair("d2h_copies_per_step", ElementsAre(0, 0)),
          Pair("device_allocations_per_step", ElementsAre(0, 0)), Pair("device_syncs_per_step", ElementsAre(0, 0)),
          Pair("effective_tokens_per_step", ElementsAre(48, 48)), Pair("graph_launches_per_step", ElementsAre(0, 0)),
          Pair("h2d_bytes_per_step", ElementsAre(256, 256)), Pair("h2d_copies_per_step", ElementsAre(2, 2)),
          Pair("held_graphs_per_step", ElementsAre(0, 0)), Pair("host_syncs_per_step", ElementsAre(1, 1)),
          Pair("kernels_per_step", ElementsAre(7, 7)), Pair("loader_allocations_per_batch", ElementsAre(0, 0)),
          Pair("loader_bytes_per_batch", ElementsAre(0, 0)), Pair("loader_operators_per_batch", ElementsAre(0, 0)),
          Pair("memcpys_per_step", ElementsAre(0, 0)), Pair("memsets_per_step", ElementsAre(0, 0)),
          Pair("operators_per_step", ElementsAre(8, 8)), Pair("padded_tokens_per_step", ElementsAre(64, 64)),
          Pair("padding_tokens_per_step", ElementsAre(16, 16)), Pair("samples_per_step", ElementsAre(4, 4)),
          Pair("shapes_seen", ElementsAre(1, 1))));
}

TEST(CountsPass, NamesTheDeviceCallsOfEachBoundary) {
  ScriptedStepPlan plan = counted_step();
  plan.at(Boundary::forward).device_syncs = 2;
  plan.at(Boundary::h2d).memcpys = 3;
  const WorkCounts counts = counts_of({plan}, {.counts = 2, .exact_warmup = 1});
  EXPECT_EQ(counts.device_calls.at("device_syncs_per_step").at("forward").at("cudaDeviceSynchronize"), 4);
  EXPECT_EQ(counts.device_calls.at("memcpys_per_step").at("h2d").at("cudaMemcpyAsync"), 6);
  EXPECT_FALSE(counts.device_calls.at("device_syncs_per_step").contains("backward"));
  EXPECT_EQ(counts.by_boundary.at("device_syncs_per_step").at("forward"), 4);
  EXPECT_TRUE(counts_of({plan}, {.counts = 2}, false).device_calls.empty());
}

/// Notices at the end that it did not see all copies.
class CounterThatLostCopies final : public ScriptedCounter {
 public:
  using ScriptedCounter::ScriptedCounter;
  std::map<std::string, std::string> absent() const override { return {{"memcpys_per_step", "not all were seen"}}; }
};

TEST(CountsPass, LeavesOutWhatTheCounterCouldNotCountToTheEnd) {
  FakeBackend backend;
  CounterThatLostCopies counter(true);
  ScriptedStepPlan plan = counted_step();
  plan.at(Boundary::h2d).memcpys = 3;
  ScriptedStep step(backend, {plan}, &counter);
  const WorkCounts counts = run_counts(step, backend, counter, {.counts = 2, .exact_warmup = 0});
  EXPECT_FALSE(counts.per_step.contains("memcpys_per_step")) << "a smaller number would look better";
  EXPECT_FALSE(counts.by_boundary.contains("memcpys_per_step"));
  EXPECT_FALSE(counts.device_calls.contains("memcpys_per_step"));
  EXPECT_THAT(counts.per_step.at("kernels_per_step"), ElementsAre(7, 7));
}

TEST(CountsPass, UsesTheNamesOfTheCatalogue) {
  for (const auto& [metric, values] : counts_of({counted_step()}, {.counts = 1}).per_step) {
    ASSERT_NE(find_metric(metric), nullptr) << metric;
    EXPECT_EQ(find_metric(metric)->tier, Tier::exact) << metric;
  }
}

TEST(CountsPass, NamesTheBoundaryOfEachCount) {
  const WorkCounts counts = counts_of({counted_step()}, {.counts = 2, .exact_warmup = 1});

  EXPECT_EQ(counts.by_boundary.at("operators_per_step"),
            (Counts{{"h2d", 0}, {"forward", 6}, {"backward", 8}, {"optimizer", 0}, {"logging", 2}}));
  EXPECT_EQ(counts.by_boundary.at("host_syncs_per_step").at("logging"), 2);
  EXPECT_EQ(counts.by_boundary.at("allocated_bytes_per_step").at("backward"), 100);
  EXPECT_EQ(counts.by_boundary.at("allocations_per_step").at("backward"), 4);
  EXPECT_EQ(counts.by_boundary.at("kernels_per_step").at("forward"), 6);
  EXPECT_EQ(counts.by_boundary.at("h2d_copies_per_step"), (Counts{{"h2d", 4}}));
}

TEST(CountsPass, CountsABoundaryOfTheLoopsOwnFromItsFirstStepOn) {
  FakeBackend backend;
  ScriptedCounter counter(true);
  ScriptedStepPlan plan = counted_step();
  plan.at(own_boundary(0)) = {.kept_bytes = 60, .operators = {{"aten::mm", 3}}, .host_syncs = 1};
  ScriptedStep step(backend, {plan}, &counter);
  step.name_boundary("critic", Boundary::forward);
  const WorkCounts counts = run_counts(step, backend, counter, {.counts = 2, .exact_warmup = 0});

  EXPECT_EQ(counts.operators.at("critic").at("aten::mm"), 6);
  EXPECT_EQ(counts.operators.at("forward").at("aten::relu"), 2);
  EXPECT_EQ(counts.by_boundary.at("operators_per_step").at("critic"), 6);
  EXPECT_EQ(counts.by_boundary.at("allocated_bytes_per_step").at("critic"), 120);
  EXPECT_EQ(counts.by_boundary.at("host_syncs_per_step").at("critic"), 2);
}

TEST(CountsPass, CountsTheLoadersWorkApartFromTheStep) {
  ScriptedStepPlan plan = counted_step();
  plan.at(Boundary::data_wait) = {.temporary_bytes = 30, .operators = {{"aten::stack", 5}}, .host_syncs = 1};
  const WorkCounts counts = counts_of({plan}, {.counts = 1});

  EXPECT_THAT(counts.per_step.at("operators_per_step"), ElementsAre(8));
  EXPECT_THAT(counts.per_step.at("allocated_bytes_per_step"), ElementsAre(150));
  EXPECT_THAT(counts.per_step.at("loader_operators_per_batch"), ElementsAre(5));
  EXPECT_THAT(counts.per_step.at("loader_allocations_per_batch"), ElementsAre(1));
  EXPECT_THAT(counts.per_step.at("loader_bytes_per_batch"), ElementsAre(30));
  EXPECT_EQ(counts.by_boundary.at("loader_operators_per_batch"), (Counts{{"data_wait", 5}}));
  EXPECT_THAT(counts.per_step.at("host_syncs_per_step"), ElementsAre(2)) << "a sync stalls the step in any boundary";
}

TEST(CountsPass, WorkThatMovesFromTheLoaderIntoTheStepShows) {
  ScriptedStepPlan in_loader = counted_step();
  in_loader.at(Boundary::data_wait).operators = {{"aten::flip", 2}};
  ScriptedStepPlan in_forward = counted_step();
  in_forward.at(Boundary::forward).operators["aten::flip"] = 2;

  EXPECT_THAT(counts_of({in_loader}, {.counts = 1}).per_step.at("operators_per_step"), ElementsAre(8));
  EXPECT_THAT(counts_of({in_forward}, {.counts = 1}).per_step.at("operators_per_step"), ElementsAre(10));
}

TEST(CountsPass, CountsGraphsOfPastStepsThatSomethingHolds) {
  ScriptedStepPlan plan = counted_step();
  plan.graph_holder = "logging";
  const WorkCounts counts = counts_of({plan}, {.counts = 3, .exact_warmup = 0});

  EXPECT_THAT(counts.per_step.at("held_graphs_per_step"), ElementsAre(1, 2, 3));
  EXPECT_EQ(counts.by_boundary.at("held_graphs_per_step"), (Counts{{"logging", 6}}));
}

TEST(CountsPass, CountsCopiesFromPageableMemoryOnlyWhereMemoryCanBePinned) {
  ScriptedStepPlan plan = counted_step();
  EXPECT_EQ(counts_of({plan}, {.counts = 1}).per_step.count("pageable_copies_per_step"), 0u);
  plan.batch.pageable_copies = 2;
  const WorkCounts counts = counts_of({plan}, {.counts = 1});
  EXPECT_THAT(counts.per_step.at("pageable_copies_per_step"), ElementsAre(2));
  EXPECT_EQ(counts.by_boundary.at("pageable_copies_per_step"), (Counts{{"h2d", 2}}));
}

TEST(CountsPass, CountsCopiesBackToTheHost) {
  ScriptedStepPlan plan = counted_step();
  plan.at(Boundary::logging).d2h_copies = 1;
  EXPECT_THAT(counts_of({plan}, {.counts = 2}).per_step.at("d2h_copies_per_step"), ElementsAre(1, 1));
  EXPECT_EQ(counts_of({plan}, {.counts = 2}, false).per_step.count("d2h_copies_per_step"), 0u);
}

TEST(CountsPass, NamesTheOperatorOfEachCount) {
  const WorkCounts counts = counts_of({counted_step()}, {.counts = 2, .exact_warmup = 1});

  EXPECT_EQ(counts.operators.at("forward"), (Counts{{"aten::linear", 4}, {"aten::relu", 2}}));
  EXPECT_EQ(counts.operators.at("backward"), (Counts{{"aten::mm", 8}}));
  EXPECT_THAT(counts.operators.at("optimizer"), IsEmpty());
}

TEST(CountsPass, LeavesTheWarmUpOut) {
  std::vector<ScriptedStepPlan> script(3, counted_step());
  script[0].at(Boundary::optimizer).operators = {{"aten::zeros", 9}};
  script[2].at(Boundary::optimizer).operators = {{"aten::add_", 1}};
  const WorkCounts counts = counts_of(script, {.counts = 2, .exact_warmup = 1});

  EXPECT_THAT(counts.per_step.at("operators_per_step"), ElementsAre(8, 9));
  EXPECT_EQ(counts.operators.at("optimizer"), (Counts{{"aten::add_", 1}}));
}

TEST(CountsPass, KernelsAreAbsentWithoutAGpu) {
  const WorkCounts counts = counts_of({counted_step()}, {.counts = 1}, false);

  EXPECT_EQ(counts.per_step.count("kernels_per_step"), 0u);
  EXPECT_EQ(counts.by_boundary.count("kernels_per_step"), 0u);
}

TEST(CountsPass, ShapesSeenAddsUpFromTheWarmUpOn) {
  std::vector<ScriptedStepPlan> script(5, counted_step());
  script[0].batch.shape = 1;
  script[2].batch.shape = 2;
  script[4].batch.shape = 1;
  const WorkCounts counts = counts_of(script, {.counts = 4, .exact_warmup = 1});

  EXPECT_THAT(counts.per_step.at("shapes_seen"), ElementsAre(2, 3, 3, 3));
  EXPECT_THAT(counts.per_step.at("cold_shapes_after_warmup"), ElementsAre(1, 1, 0, 0));
  EXPECT_EQ(counts.by_boundary.at("cold_shapes_after_warmup"), (Counts{{"data_wait", 2}}));
}

TEST(CountsPass, KeepsTheSizesOfTheBatchesAndOfTheColdOnes) {
  std::vector<ScriptedStepPlan> script(4, counted_step());
  for (std::size_t i = 0; i < script.size(); ++i) script[i].input_sizes = i == 2 ? "int64[4, 20]" : "int64[4, 16]";
  script[2].batch.shape = 8;
  const WorkCounts counts = counts_of(script, {.counts = 3, .exact_warmup = 1}, false);

  EXPECT_EQ(counts.device_calls.at("shapes_seen").at("data_wait"), (Counts{{"int64[4, 16]", 2}, {"int64[4, 20]", 1}}));
  EXPECT_EQ(counts.device_calls.at("cold_shapes_after_warmup").at("data_wait"), (Counts{{"int64[4, 20]", 1}}));
}

/// Reading it makes an allocation, as a profiler's own bookkeeping may.
class CostlyCounter : public ScriptedCounter {
 public:
  explicit CostlyCounter(FakeBackend& backend) : ScriptedCounter(false), backend_(backend) {}
  WorkTotals totals() override {
    backend_.allocate(1000);
    return ScriptedCounter::totals();
  }

 private:
  FakeBackend& backend_;
};

TEST(CountsPass, ReadingTheCountersAddsNothing) {
  FakeBackend backend;
  CostlyCounter counter(backend);
  ScriptedStep step(backend, {counted_step()}, &counter);
  const WorkCounts counts = run_counts(step, backend, counter, {.counts = 2});

  EXPECT_THAT(counts.per_step.at("allocations_per_step"), ElementsAre(3, 3));
  EXPECT_THAT(counts.per_step.at("allocated_bytes_per_step"), ElementsAre(150, 150));
}

TEST(CountsPass, OneMoreOperatorAllocationSyncOrByteIsSeen) {
  ScriptedStepPlan more = counted_step();
  more.at(Boundary::forward).operators["aten::relu"] += 1;
  more.at(Boundary::backward).kept_bytes += 1;
  more.at(Boundary::logging).host_syncs += 1;
  more.at(Boundary::optimizer).temporary_bytes = 1;
  const WorkCounts counts = counts_of({more}, {.counts = 1});

  EXPECT_THAT(counts.per_step.at("operators_per_step"), ElementsAre(9));
  EXPECT_THAT(counts.per_step.at("allocated_bytes_per_step"), ElementsAre(152));
  EXPECT_THAT(counts.per_step.at("host_syncs_per_step"), ElementsAre(2));
  EXPECT_THAT(counts.per_step.at("allocations_per_step"), ElementsAre(4));
}

TEST(CountsPass, TakesNoTimeAndSynchronisesOnlyBetweenTheSteps) {
  FakeBackend backend;
  ScriptedCounter counter(true);
  ScriptedStep step(backend, {counted_step()}, &counter);
  std::size_t synchronisations = 0;
  std::size_t inside_a_step = 0;
  std::size_t clock_reads = 0;
  bool in_step = false;
  backend.observe([&](const FakeCall& call) {
    if (call.what == "load") in_step = true;
    if (call.what == "log") in_step = false;
    const bool counted = call.what == "synchronize" && counter.counting();
    synchronisations += counted;
    inside_a_step += counted && in_step;
    clock_reads += call.what == "now";
  });
  run_counts(step, backend, counter, {.counts = 3});
  backend.observe({});

  EXPECT_EQ(synchronisations, 3u) << "no block of an earlier step is still in use";
  EXPECT_EQ(inside_a_step, 0u);
  EXPECT_EQ(clock_reads, 0u);
  EXPECT_FALSE(counter.counting());
}

TEST(CountsPass, RefusesZeroSteps) {
  EXPECT_THROW(counts_of({counted_step()}, {.counts = 0}), Error);
  EXPECT_THROW(counts_of({counted_step()}, {.counts = 1, .exact_warmup = -1}), Error);
}

TEST(CountsPass, CountsTheUpdatesThatEachStepSkipped) {
  std::vector<ScriptedStepPlan> script(5, counted_step());
  script[0].skipped_updates = 1;  // in the warm-up
  script[2].skipped_updates = 2;
  const WorkCounts counts = counts_of(script, {.counts = 3, .exact_warmup = 1});
  EXPECT_THAT(counts.per_step.at("amp_skips_per_step"), ElementsAre(0, 2, 0));
  EXPECT_EQ(counts.by_boundary.at("amp_skips_per_step").at("optimizer"), 2);
  EXPECT_FALSE(counts_of({counted_step()}, {.counts = 3}).per_step.contains("amp_skips_per_step")) << "absent, not 0";
}

TEST(CountsPass, MarksTheLogAroundWhatItCounts) {
  std::vector<std::string> calls;
  test::MarkedBackend backend(calls);
  ScriptedCounter counter(true);
  ScriptedStep step(backend, {counted_step()}, &counter);
  backend.observe([&](const FakeCall& call) {
    if (call.what == "load" || call.what == "synchronize") calls.emplace_back(call.what);
  });
  run_counts(step, backend, counter, {.counts = 2, .exact_warmup = 1});
  backend.observe({});
  EXPECT_THAT(calls, ElementsAre("load", "synchronize", "counts begin 0", "load", "counts 0", "synchronize",
                                 "counts begin 1", "load", "counts 1", "synchronize"));
}

}  // namespace
}  // namespace stepgate
