#include "judge/reduce/input_values.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

StepSample batch_of(std::int64_t samples) {
  StepSample sample;
  sample.samples = samples;
  return sample;
}

/// Two batches a window.
TimedPass drained(std::vector<std::int64_t> window_ns, std::int64_t samples) {
  TimedPass pass;
  pass.clock = "steady_clock";
  for (const std::int64_t wall_ns : window_ns) {
    pass.windows.push_back({wall_ns, std::ssize(pass.steps), 2, false});
    pass.steps.push_back(batch_of(samples));
    pass.steps.push_back(batch_of(samples));
  }
  return pass;
}

template <typename Add>
TimedValues found(const RunRecord& record, Add add) {
  MetricCollector collector(record);
  add(record, collector);
  return collector.take();
}

TEST(InputValues, SupplyIsTheMedianWindowsRate) {
  RunRecord record;
  record.timed["loader"] = drained({1'000'000, 500'000, 9'000'000}, 16);
  EXPECT_DOUBLE_EQ(found(record, add_loader).values.at("loader_samples_per_s"), 32 * 1e9 / 1e6);
}

TEST(InputValues, SupplyOverDemandSaysWhetherTheLoaderKeepsUp) {
  RunRecord record;
  record.timed["loader"] = drained({2'000'000}, 16);
  record.timed["synthetic"] = drained({1'000'000}, 16);
  EXPECT_DOUBLE_EQ(found(record, add_loader).values.at("supply_ratio"), 0.5);
}

TEST(InputValues, WithoutSamplesThereIsNoRate) {
  RunRecord record;
  record.timed["loader"] = drained({2'000'000}, 0);
  EXPECT_EQ(found(record, add_loader).absent.at("loader_samples_per_s"), "the workload counts no samples");
  EXPECT_EQ(found(RunRecord{}, add_loader).absent.at("supply_ratio"), "the loader pass did not run");
}

RunRecord with_copies() {
  RunRecord record;
  record.h2d = CopyTrials{
      .clock = "virtual",
      .simulated = false,
      .link_bytes_per_s = 64'000'000'000,
      .series = {
          {.layout = CopyLayout::batch, .pinned = false, .bytes = 1000, .tensors = 8, .trial_ns = {90, 100, 500}},
          {.layout = CopyLayout::single, .pinned = false, .bytes = 1000, .tensors = 1, .trial_ns = {20}},
          {.layout = CopyLayout::single, .pinned = false, .bytes = 64000, .tensors = 1, .trial_ns = {4000}},
          {.layout = CopyLayout::single, .pinned = true, .bytes = 1000, .tensors = 1, .trial_ns = {1}},
          {.layout = CopyLayout::single, .pinned = true, .bytes = 64000, .tensors = 1, .trial_ns = {2000}},
          {.layout = CopyLayout::split, .pinned = true, .bytes = 900000, .tensors = 64, .trial_ns = {1}}}};
  return record;
}

TEST(InputValues, RatesAreOfTheLargestSingleTensor) {
  const TimedValues values = found(with_copies(), add_copies);
  EXPECT_DOUBLE_EQ(values.values.at("h2d_pageable_bytes_per_s"), 16e9);
  EXPECT_DOUBLE_EQ(values.values.at("h2d_pinned_bytes_per_s"), 32e9);
  EXPECT_DOUBLE_EQ(values.values.at("h2d_link_share"), 0.5);
}

TEST(InputValues, ComparesASplitBatchWithOneTensorOfItsSize) {
  const TimedValues values = found(with_copies(), add_copies);
  EXPECT_DOUBLE_EQ(values.values.at("h2d_batch_bytes_per_s"), 1e10);
  EXPECT_DOUBLE_EQ(values.values.at("h2d_split_ratio"), 5);
}

TEST(InputValues, WhatTheDeviceCannotCopyIsAbsentWithItsReason) {
  RunRecord record = with_copies();
  record.absent["h2d_pinned_bytes_per_s"] = "page-locked memory needs a GPU";
  EXPECT_EQ(found(record, add_copies).absent.at("h2d_pinned_bytes_per_s"), "page-locked memory needs a GPU");
  EXPECT_EQ(found(RunRecord{}, add_copies).absent.at("h2d_split_ratio"), "the h2d pass did not run");
  EXPECT_EQ(found(RunRecord{}, add_copies).absent.at("h2d_overlap_ratio"),
            "the device records no events of its copies");
}

TEST(InputValues, OverlapIsTheShareOfCopyingBesideCompute) {
  StepSample step;
  step.device_ns = BoundaryTimes{0, 40, 30, 40, 20, 10};
  step.overlap_ns = 30;
  StepSample drained_before = step;  // the first of a window says nothing
  drained_before.overlap_ns.reset();
  RunRecord record;
  record.timed["e2e"].steps = {drained_before, step, step};
  const TimedValues values = found(record, add_copies);
  EXPECT_DOUBLE_EQ(values.values.at("h2d_overlap_ratio"), 0.75);
}

TEST(InputValues, EventsDoNotTellHowLongTheDeviceIdles) {
  // The host queues one short kernel after the other: the device idles between them, and the events around them show
  // one unbroken step.
  StepSample step;
  step.device_ns = BoundaryTimes{0, 0, 50, 40, 10, 0};
  step.overlap_ns = 0;
  step.gap_ns = 0;
  RunRecord record;
  record.timed["e2e"].steps = {step, step};
  const TimedValues values = found(record, add_copies);
  EXPECT_FALSE(values.values.contains("device_idle_ratio"));
}

RunRecord with_device_work() {
  RunRecord record;
  record.timed["e2e"].windows = {{360'000, 0, 10, false}, {360'000, 10, 10, false}, {9'000'000, 20, 10, true}};
  // Traced windows are slower, the work in them is as long as ever.
  record.device_work = {{.wall_ns = 700'000, .work_ns = 100'800, .records = 80, .steps = 10},
                        {.wall_ns = 690'000, .work_ns = 100'800, .records = 80, .steps = 10},
                        {.wall_ns = 690'000, .work_ns = 690'000, .records = 90, .steps = 10, .cold_shape = true}};
  return record;
}

TEST(InputValues, TheDeviceIdlesWhereNothingRunsOnIt) {
  EXPECT_DOUBLE_EQ(found(with_device_work(), add_device_idle).values.at("device_idle_ratio"), 0.72);
}

TEST(InputValues, ADeviceWithMoreWorkThanTimeDoesNotIdle) {
  RunRecord record = with_device_work();
  for (DeviceWorkWindow& window : record.device_work) window.work_ns = 380'000;
  EXPECT_DOUBLE_EQ(found(record, add_device_idle).values.at("device_idle_ratio"), 0);
}

TEST(InputValues, IdleTimeIsAbsentWithItsReason) {
  RunRecord record = with_device_work();
  record.device_work.clear();
  EXPECT_EQ(found(record, add_device_idle).absent.at("device_idle_ratio"), "needs the e2e and the device_work pass");
  record.absent["device_idle_ratio"] = "CUPTI was not found";
  EXPECT_EQ(found(record, add_device_idle).absent.at("device_idle_ratio"), "CUPTI was not found");
  record = with_device_work();
  for (DeviceWorkWindow& window : record.device_work) window.cold_shape = true;
  EXPECT_EQ(found(record, add_device_idle).absent.at("device_idle_ratio"),
            "every window met a new shape or held a skipped update");
  EXPECT_FALSE(found(record, add_device_idle).values.contains("device_idle_ratio"));
}

TEST(InputValues, TheTimeOfTheDeviceIsItsWorkInAStep) {
  EXPECT_DOUBLE_EQ(found(with_device_work(), add_device_time).values.at("device_time_ns"), 10'080)
      << "without the window of a new shape";
  RunRecord record;
  EXPECT_EQ(found(record, add_device_time).absent.at("device_time_ns"), "needs the device_work pass");
  record.absent["device_idle_ratio"] = "CUPTI was not found";
  EXPECT_EQ(found(record, add_device_time).absent.at("device_time_ns"), "CUPTI was not found");
  record = with_device_work();
  for (DeviceWorkWindow& window : record.device_work) window.skipped_update = true;
  EXPECT_EQ(found(record, add_device_time).absent.at("device_time_ns"),
            "every window met a new shape or held a skipped update");
}

TEST(InputValues, LoggingCostsWhatItsBlocksTakeMore) {
  RunRecord record;
  // A machine that slows down by 10 a block: the drift cancels, the 7 of logging stay.
  record.logging = {{false, 1000, 10}, {true, 1080, 10}, {true, 1090, 10}, {false, 1030, 10}};
  EXPECT_DOUBLE_EQ(found(record, add_logging).values.at("logging_cost_ns"), 7);
  record.logging.pop_back();
  EXPECT_EQ(found(record, add_logging).absent.at("logging_cost_ns"),
            "as many steps without logging as with it are needed");
}

TEST(InputValues, ExchangeThatBackwardCoversIsHidden) {
  StepSample step;
  step.allreduce_ns = 100;
  step.allreduce_wait_ns = 25;
  RunRecord record;
  record.timed["e2e"].steps = {step, step, StepSample{}};
  const TimedValues values = found(record, add_exchange);
  EXPECT_DOUBLE_EQ(values.values.at("allreduce_ns"), 100);
  EXPECT_DOUBLE_EQ(values.values.at("allreduce_wait_ns"), 25);
  EXPECT_DOUBLE_EQ(values.values.at("allreduce_overlap_ratio"), 0.75);
  EXPECT_EQ(found(RunRecord{}, add_exchange).absent.at("allreduce_ns"), "the workload exchanges no gradients");
}

TEST(InputValues, ACheckpointCostsTheMedianOfItsSaves) {
  RunRecord record;
  EXPECT_EQ(found(record, add_checkpoint_save).values.count("checkpoint_save_ns"), 0U);
  EXPECT_EQ(found(record, add_checkpoint_save).absent.count("checkpoint_save_ns"), 0U) << "nobody asked for one";
  record.checkpoint = CheckpointSaves{.save_ns = {90, 10, 20}, .bytes = {7, 7, 7}};
  EXPECT_DOUBLE_EQ(found(record, add_checkpoint_save).values.at("checkpoint_save_ns"), 20);
}

}  // namespace
}  // namespace stepgate
