#include "stepgate/throughput_meter.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "marks/scripted_clock.h"
#include "measure/counted_new.h"

namespace stepgate {
namespace {

using test::pass_time;
using test::scripted_clock;

constexpr std::int64_t second_ns = 1'000'000'000;

void run_step(ThroughputMeter& meter, std::int64_t ns, const StepWork& work = {.samples = 10}) {
  pass_time(ns);
  meter.step(work);
}

TEST(ThroughputMeter, TellsPaddedFromEffectiveTokens) {
  ThroughputMeter meter({.clock = scripted_clock});
  run_step(meter, second_ns, {.samples = 2, .padded_tokens = 100, .effective_tokens = 80});
  run_step(meter, second_ns, {.samples = 4, .padded_tokens = 100, .effective_tokens = 60});
  const Throughput all = meter.overall();
  EXPECT_EQ(all.steps, 2);
  EXPECT_DOUBLE_EQ(all.seconds, 2);
  EXPECT_DOUBLE_EQ(*all.samples_per_s, 3);
  EXPECT_DOUBLE_EQ(*all.padded_tokens_per_s, 100);
  EXPECT_DOUBLE_EQ(*all.effective_tokens_per_s, 70);
}

TEST(ThroughputMeter, LooksBackOverItsWindowOnly) {
  ThroughputMeter meter({.window = 3, .clock = scripted_clock});
  for (int i = 0; i < 7; ++i) run_step(meter, 10 * second_ns);
  for (int i = 0; i < 3; ++i) run_step(meter, second_ns);
  EXPECT_EQ(meter.recent().steps, 3);
  EXPECT_DOUBLE_EQ(*meter.recent().samples_per_s, 10);
  EXPECT_DOUBLE_EQ(*meter.overall().samples_per_s, 100.0 / 73);
  run_step(meter, 4 * second_ns);
  EXPECT_DOUBLE_EQ(*meter.recent().samples_per_s, 30.0 / 6);
}

TEST(ThroughputMeter, LooksBackOverWhatThereIsBeforeAWindowIsFull) {
  ThroughputMeter meter({.window = 3, .clock = scripted_clock});
  EXPECT_FALSE(meter.recent().samples_per_s) << "no step yet";
  run_step(meter, 2 * second_ns);
  EXPECT_DOUBLE_EQ(*meter.recent().samples_per_s, 5);
  run_step(meter, second_ns);
  run_step(meter, second_ns);
  EXPECT_DOUBLE_EQ(*meter.recent().samples_per_s, 30.0 / 4) << "exactly full";
}

TEST(ThroughputMeter, LeavesOutWhatIsNoTraining) {
  ThroughputMeter meter({.window = 2, .clock = scripted_clock});
  run_step(meter, second_ns);
  pass_time(100 * second_ns);  // an evaluation
  meter.leave_out();
  run_step(meter, second_ns);
  pass_time(50 * second_ns);  // and a checkpoint
  meter.leave_out();
  run_step(meter, second_ns);
  EXPECT_DOUBLE_EQ(meter.overall().seconds, 3);
  EXPECT_DOUBLE_EQ(meter.recent().seconds, 2);
}

TEST(ThroughputMeter, TellsFlopsOnlyWhereTheyWereGiven) {
  const WorkDone done{.steps = 4, .elapsed_ns = 2 * second_ns, .work = {.samples = 4}};
  EXPECT_FALSE(throughput_of(done).tflops_per_s);
  EXPECT_FALSE(throughput_of(done).mfu);
  const Throughput with_model = throughput_of(done, {.per_step = 5e12});
  EXPECT_DOUBLE_EQ(*with_model.tflops_per_s, 10);
  EXPECT_FALSE(with_model.mfu) << "the device's peak is not known";
  EXPECT_DOUBLE_EQ(*throughput_of(done, {.per_step = 5e12, .peak_per_s = 40e12}).mfu, 0.25);
  EXPECT_FALSE(throughput_of(done, {.peak_per_s = 40e12}).mfu) << "what the model needs is not known";
}

TEST(ThroughputMeter, IsNeverZeroForWhatWasNotCounted) {
  const Throughput none = throughput_of({.steps = 1, .elapsed_ns = second_ns});
  EXPECT_FALSE(none.samples_per_s);
  EXPECT_FALSE(none.padded_tokens_per_s);
  EXPECT_FALSE(throughput_of({.steps = 1, .elapsed_ns = 0, .work = {.samples = 1}}).samples_per_s) << "no time passed";
}

TEST(ThroughputMeter, AllocatesNothingInALoop) {
  ThroughputMeter meter({.window = 5, .clock = scripted_clock});
  const std::int64_t before = test::heap_allocations();
  for (int i = 0; i < 100; ++i) run_step(meter, 7);
  EXPECT_EQ(test::heap_allocations(), before);
}

TEST(ThroughputMeter, RefusesOptionsWithoutMeaning) {
  EXPECT_THROW(ThroughputMeter({.window = 0}), std::invalid_argument);
  EXPECT_THROW(ThroughputMeter({.flops = {.per_step = -1}}), std::invalid_argument);
  EXPECT_THROW(ThroughputMeter({.flops = {.peak_per_s = std::numeric_limits<double>::quiet_NaN()}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
