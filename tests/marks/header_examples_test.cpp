// The examples in the headers of production loops, as they stand there: tests/house checks that no line differs.
#include <gtest/gtest.h>

#include <iostream>

#include "stepgate/step_timer.h"
#include "stepgate/throughput_meter.h"

namespace stepgate {
namespace {

TEST(HeaderExamples, TheMeterCompilesAsItsHeaderWritesIt) {
  const double parameters = 1e6;
  const double tokens_per_step = 64 * 128;
  const std::int64_t count = 64;
  int left = 3;
  const auto train_one_step = [&] { return left-- > 0; };
  testing::internal::CaptureStdout();
  // stepgate/throughput_meter.h
  stepgate::ThroughputMeter meter({.window = 50, .flops = {.per_step = 6.0 * parameters * tokens_per_step}});
  while (train_one_step()) {
    meter.step({.samples = 64, .padded_tokens = 64 * 128, .effective_tokens = count});
    if (const auto rate = meter.recent().effective_tokens_per_s) std::cout << *rate << "\n";
  }
  EXPECT_NE(testing::internal::GetCapturedStdout(), "");
}

TEST(HeaderExamples, TheTimerCompilesAsItsHeaderWritesIt) {
  int model = 0;
  const auto train = [](stepgate::StepMarks& marks, int& trained) {
    for (trained = 0; trained < 2 && marks.next_step(); ++trained) marks.loaded({.samples = 64});
  };
  // stepgate/step_timer.h
  stepgate::StepTimer timer({.steps = 1000});
  train(timer, model);
  const stepgate::StepSummary summary = timer.summary();
  EXPECT_GT(summary.steps, 0);
}

}  // namespace
}  // namespace stepgate
