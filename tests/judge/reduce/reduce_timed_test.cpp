#include "judge/reduce/reduce_timed.h"

#include <gtest/gtest.h>

#include "judge/reduce/timed_values.h"

namespace stepgate {
namespace {

StepSample step(std::int64_t wall_ns) {
  StepSample result;
  result.wall_ns = wall_ns;
  result.samples = 32;
  result.padded_tokens = 100;
  result.effective_tokens = 80;
  return result;
}

StepSample cold_step(std::int64_t wall_ns) {
  StepSample result = step(wall_ns);
  result.cold_shape = true;
  return result;
}

RunRecord with_e2e(std::string clock, std::vector<StepSample> steps, std::vector<Window> windows = {}) {
  RunRecord record;
  record.timed["e2e"] = {.clock = std::move(clock), .windows = std::move(windows), .steps = std::move(steps)};
  return record;
}

double value(const RunRecord& record, const std::string& metric) { return timed_values(record).values.at(metric); }

std::string reason(const RunRecord& record, const std::string& metric) {
  const TimedValues found = timed_values(record);
  EXPECT_FALSE(found.values.contains(metric)) << metric;
  return found.absent.at(metric);
}

TEST(TimedValues, OnAHostClockTheMedianStepCounts) {
  const RunRecord record = with_e2e("steady_clock", {step(10), step(20), step(90)}, {{120, 0, 3, false}});
  EXPECT_EQ(value(record, "step_time_ns"), 20);
  EXPECT_EQ(value(record, "step_time_mean_ns"), 40);
}

TEST(TimedValues, ABoundaryOfTheLoopsOwnHasItsTimeAndItsPartOfTheSum) {
  RunRecord record = with_e2e("steady_clock", {step(100)});
  record.boundaries.insert(2, "critic");
  StepSample phase = step(120);
  phase.host_ns[static_cast<std::size_t>(Boundary::forward)] = 40;
  phase.host_ns[static_cast<std::size_t>(own_boundary(0))] = 70;
  record.timed["phase"] = {.clock = "steady_clock", .windows = {}, .steps = {phase}};
  EXPECT_EQ(value(record, "boundary_ns[critic]"), 70);
  EXPECT_EQ(value(record, "forward_ns"), 40);
  EXPECT_DOUBLE_EQ(value(record, "sync_tax_ratio"), 110.0 / 100 - 1);
  EXPECT_EQ(reason(with_e2e("steady_clock", {step(100)}), "forward_ns"), "the pass did not run");
}

TEST(TimedValues, ABoundaryOfARequestOnACpuIsThatOfTheRequests) {
  RunRecord record = with_e2e("steady_clock", {step(100)});
  StepSample phase = step(120);
  phase.host_ns[static_cast<std::size_t>(Boundary::forward)] = 40;
  record.timed["phase"] = {.clock = "steady_clock", .windows = {}, .steps = {phase}};
  record.requests = ClosedLoop{.clock = "steady_clock", .boundary_ns = {{"forward", {50, 52, 54}}, {"h2d", {1, 1, 1}}}};
  record.fingerprint["device"] = "cpu";
  EXPECT_EQ(value(record, "forward_ns"), 52);
  EXPECT_EQ(reason(record, "h2d_ns"), "nothing happens at this boundary");
  record.fingerprint["device"] = "cuda";
  EXPECT_EQ(value(record, "forward_ns"), 40) << "the marks are when the work was queued";
}

TEST(TimedValues, OnADeviceClockTheMedianWindowCounts) {
  const std::vector<StepSample> enqueued(6, step(1));
  const std::vector<Window> windows = {{200, 0, 2, false}, {220, 2, 2, false}, {600, 4, 2, false}};
  for (const char* clock : {"cuda_events+steady_clock", "virtual"}) {
    const RunRecord record = with_e2e(clock, enqueued, windows);
    EXPECT_EQ(value(record, "step_time_ns"), 110);
    EXPECT_EQ(value(record, "step_time_mean_ns"), 170);
  }
}

TEST(TimedValues, WindowsAloneSuffice) {
  EXPECT_EQ(value(with_e2e("steady_clock", {}, {{300, 0, 3, false}}), "step_time_ns"), 100);
}

TEST(TimedValues, SamplesOfWindowsCountWhereStepsAreNotListed) {
  const std::vector<Window> windows = {{1'000'000'000, 0, 1000, false, 3000}, {1'000'000'000, 1000, 1000, false, 5000}};
  EXPECT_EQ(value(with_e2e("google_benchmark", {}, windows), "samples_per_s"), 4000);
  EXPECT_EQ(reason(with_e2e("google_benchmark", {}, {{300, 0, 3, false}}), "samples_per_s"),
            "the workload counts no samples");
}

TEST(TimedValues, ColdStepsAndWindowsAreLeftOut) {
  const RunRecord host = with_e2e("steady_clock", {cold_step(1000), step(10), step(30)});
  EXPECT_EQ(value(host, "step_time_ns"), 20);
  EXPECT_EQ(value(host, "step_time_mean_ns"), 20);
  EXPECT_DOUBLE_EQ(value(host, "samples_per_s"), 64 / 40e-9);
  const RunRecord device =
      with_e2e("virtual", {cold_step(1), step(1), step(1), step(1)}, {{9000, 0, 2, true}, {100, 2, 2, false}});
  EXPECT_EQ(value(device, "step_time_ns"), 50);
  EXPECT_EQ(value(device, "step_time_mean_ns"), 50);
  EXPECT_DOUBLE_EQ(value(device, "samples_per_s"), 64 / 100e-9);
}

TEST(TimedValues, AllColdIsAbsentNotZero) {
  const RunRecord record = with_e2e("steady_clock", {cold_step(10), cold_step(20)});
  EXPECT_EQ(reason(record, "step_time_ns"), "every step met a shape never seen before");
  EXPECT_EQ(reason(record, "samples_per_s"), "every step met a shape never seen before");
  EXPECT_EQ(why_nothing_timed(record), "every step met a shape never seen before");
  EXPECT_EQ(why_nothing_timed(with_e2e("steady_clock", {cold_step(10), step(20)})), "");
  EXPECT_EQ(why_nothing_timed(RunRecord{}), "");
}

TEST(TimedValues, RatesAreTotalsOverTotalTime) {
  const RunRecord record = with_e2e("steady_clock", {step(1'000'000), step(3'000'000)});
  EXPECT_DOUBLE_EQ(value(record, "samples_per_s"), 16000);
  EXPECT_DOUBLE_EQ(value(record, "padded_tokens_per_s"), 50000);
  EXPECT_DOUBLE_EQ(value(record, "effective_tokens_per_s"), 40000);
  EXPECT_NEAR(value(record, "padding_ratio"), 0.2, 1e-12);
}

TEST(TimedValues, WithoutEffectiveTokensNothingIsPadding) {
  StepSample plain = step(10);
  plain.effective_tokens = 0;
  const RunRecord record = with_e2e("steady_clock", {plain});
  EXPECT_GT(value(record, "padded_tokens_per_s"), 0);
  for (const char* metric : {"effective_tokens_per_s", "padding_ratio"}) {
    EXPECT_EQ(reason(record, metric), "the workload declares no effective tokens") << metric;
  }
}

TEST(TimedValues, WithoutTokensTheirMetricsAreAbsent) {
  StepSample plain = step(10);
  plain.padded_tokens = plain.effective_tokens = 0;
  const RunRecord record = with_e2e("steady_clock", {plain});
  for (const char* metric : {"padded_tokens_per_s", "effective_tokens_per_s", "padding_ratio"}) {
    EXPECT_EQ(reason(record, metric), "the workload has no tokens");
  }
}

TEST(TimedValues, BoundariesAreMediansOfThePhasePass) {
  RunRecord record = with_e2e("steady_clock", {step(20)});
  StepSample a = step(0), b = step(0), c = cold_step(0);
  a.host_ns = {1, 2, 10, 6, 4, 0};
  b.host_ns = {3, 2, 12, 6, 4, 0};
  c.host_ns = {999, 999, 999, 999, 999, 999};
  record.timed["phase"] = {.clock = "steady_clock", .windows = {}, .steps = {a, b, c}};
  EXPECT_EQ(value(record, "data_wait_ns"), 2);
  EXPECT_EQ(value(record, "h2d_ns"), 2);
  EXPECT_EQ(value(record, "forward_ns"), 11);
  EXPECT_EQ(value(record, "backward_ns"), 6);
  EXPECT_EQ(value(record, "optimizer_ns"), 4);
  EXPECT_EQ(reason(record, "logging_ns"), "nothing happens at this boundary");
  EXPECT_DOUBLE_EQ(value(record, "sync_tax_ratio"), 25.0 / 20 - 1);
}

TEST(TimedValues, StallComparesWithTheSyntheticPass) {
  RunRecord record = with_e2e("virtual", {}, {{1000, 0, 10, false}});
  record.timed["synthetic"] = {.clock = "virtual", .windows = {{800, 0, 10, false}}, .steps = {}};
  EXPECT_EQ(value(record, "synthetic_step_ns"), 80);
  EXPECT_NEAR(value(record, "stall_ratio"), 0.2, 1e-12);
}

TEST(TimedValues, NamesPassesThatDidNotRun) {
  const RunRecord record = with_e2e("steady_clock", {step(10)});
  EXPECT_EQ(reason(record, "forward_ns"), "the pass did not run");
  EXPECT_EQ(reason(record, "synthetic_step_ns"), "the pass did not run");
  EXPECT_EQ(reason(record, "stall_ratio"), "needs the e2e and the synthetic pass");
  EXPECT_EQ(reason(record, "sync_tax_ratio"), "needs the e2e and the phase pass");
  EXPECT_EQ(reason(record, "first_step_ns"), "the record has no warm-up");
}

TEST(TimedValues, FirstStepComesFromWarmup) {
  RunRecord record;
  record.warmup = Warmup{.first_step_ns = 123, .steps = 9, .steady = true, .reasons = {}};
  EXPECT_EQ(value(record, "first_step_ns"), 123);
}

TEST(TimedValues, DeclaredAbsentMetricsStayAbsent) {
  RunRecord record = with_e2e("steady_clock", {step(10)});
  record.absent["samples_per_s"] = "this workload repeats samples";
  EXPECT_EQ(reason(record, "samples_per_s"), "this workload repeats samples");
}

TEST(TimedValues, TheReferenceCaseGivesItsStepTimeOnly) {
  const TimedValues found = reference_values(with_e2e("steady_clock", {step(10), step(12), step(50)}));
  EXPECT_EQ(found.values, (std::map<std::string, double>{{"reference_step_ns", 12}}));
  EXPECT_EQ(reference_values(RunRecord{}).absent.at("reference_step_ns"), "the pass did not run");
}

TEST(TimedValues, DeclaredFlopsGiveARateOverTheWholePass) {
  RunRecord record = with_e2e("steady_clock", {step(10), step(30)}, {{40, 0, 2, false}});
  EXPECT_EQ(reason(record, "tflop_per_s"),
            "the workload declares no FLOPs: set Batch::flops, or StepWork::flops in a loop");
  for (StepSample& each : record.timed["e2e"].steps) each.flops = 1'000'000;
  EXPECT_DOUBLE_EQ(value(record, "tflop_per_s"), 2e6 / 40e-9 / 1e12);
}

/// A skipped update makes a step shorter: kept in, the overflow would look like a speed-up.
TEST(TimedValues, StepsAndWindowsWithASkippedUpdateAreLeftOut) {
  StepSample skipped = step(1);
  skipped.skipped_update = true;
  EXPECT_EQ(value(with_e2e("steady_clock", {skipped, step(20), skipped}), "step_time_ns"), 20);
  Window window{10, 0, 2, false};
  window.skipped_update = true;
  const RunRecord device = with_e2e("virtual", {skipped, skipped, step(1), step(1)}, {window, {100, 2, 2, false}});
  EXPECT_EQ(value(device, "step_time_ns"), 50);
  EXPECT_DOUBLE_EQ(value(device, "samples_per_s"), 64 / 100e-9);
}

TEST(TimedValues, AnOverflowInEachWindowMeasuresNothing) {
  StepSample skipped = step(1);
  skipped.skipped_update = true;
  const RunRecord record = with_e2e("steady_clock", {skipped, skipped});
  EXPECT_EQ(reason(record, "step_time_ns"), "in every window the loss scaler skipped an update");
  EXPECT_EQ(why_nothing_timed(record), "in every window the loss scaler skipped an update");
  EXPECT_EQ(why_nothing_timed(with_e2e("steady_clock", {skipped, cold_step(3)})),
            "every step met a shape never seen before or lies beside a skipped update");
}

TEST(TimedValues, CpuTimeBesideTheStepIsPerStep) {
  RunRecord record;
  EXPECT_TRUE(timed_values(record).absent.contains("background_cpu_ns_per_step"));
  record.background = {.cpu_ns = 600, .steps = 20};
  EXPECT_DOUBLE_EQ(timed_values(record).values.at("background_cpu_ns_per_step"), 30);
}

TEST(TimedValues, StepsASecondAreTheInverseOfTheMeanStep) {
  const RunRecord record = with_e2e("steady_clock", {step(10), step(20), step(90)}, {{120, 0, 3, false}});
  EXPECT_DOUBLE_EQ(value(record, "steps_per_s"), 1e9 / value(record, "step_time_mean_ns"));
  EXPECT_EQ(reason({}, "steps_per_s"), "the pass did not run");
}

Evidence energies(double gpu_j, double steps) {
  Evidence evidence;
  evidence.values = {{EvidenceKey::gpu_energy_j, gpu_j}, {EvidenceKey::energy_steps, steps}};
  evidence.absent = {{EvidenceKey::package_energy_j, "only root reads it"}};
  return evidence;
}

TEST(Energy, IsThatOfAStepAndOfASample) {
  const RunRecord record = with_e2e("virtual", {cold_step(1), step(1)}, {{9000, 0, 2, false}});
  TimedValues values;
  add_energy(energies(640, 20), record, values);
  EXPECT_DOUBLE_EQ(values.values.at("gpu_energy_per_step_j"), 32);
  EXPECT_DOUBLE_EQ(values.values.at("gpu_energy_per_sample_j"), 1);
  EXPECT_EQ(values.absent.at("package_energy_per_step_j"), "only root reads it");
  EXPECT_EQ(values.absent.at("package_energy_per_sample_j"), "only root reads it");
}

TEST(Energy, OfASampleIsAbsentWithoutSamples) {
  TimedValues values;
  add_energy(energies(640, 20), with_e2e("virtual", {}, {{9000, 0, 2, false}}), values);
  EXPECT_DOUBLE_EQ(values.values.at("gpu_energy_per_step_j"), 32);
  EXPECT_EQ(values.absent.at("gpu_energy_per_sample_j"), "the workload counts no samples");
}

TEST(Energy, WithoutAReadingSaysNothing) {
  TimedValues values;
  add_energy({}, with_e2e("virtual", {step(1)}), values);
  EXPECT_TRUE(values.values.empty() && values.absent.empty());
  add_energy(energies(640, 0), with_e2e("virtual", {step(1)}), values);
  EXPECT_TRUE(values.values.empty());
}

}  // namespace
}  // namespace stepgate
