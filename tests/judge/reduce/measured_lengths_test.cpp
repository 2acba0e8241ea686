#include "judge/reduce/measured_lengths.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

/// One clean timed process of two steps with 32 tokens a sample.
Measurement timed_only() {
  Measurement measurement;
  Replicate& timed = measurement.replicates.emplace_back();
  timed.group = Group::timed;
  timed.record = RunRecord{};
  timed.record->timed["e2e"].steps.assign(2, StepSample{.samples = 2, .padded_tokens = 64, .effective_tokens = 64});
  return measurement;
}

TEST(MeasuredLengths, AreThoseOfTheTimedStepsWhereNoneWereCounted) {
  EXPECT_EQ(bins_text(measured_lengths(timed_only()).value()), "2 x 32");
  EXPECT_FALSE(measured_lengths(Measurement{}));
}

TEST(MeasuredLengths, AreThoseOfTheCountedSteps) {
  Measurement measurement = timed_only();
  Replicate& exact = measurement.replicates.emplace_back();
  exact.group = Group::exact;
  exact.record = RunRecord{};
  exact.record->counts = WorkCounts{};
  exact.record->counts->per_step = {
      {"samples_per_step", {4}}, {"padded_tokens_per_step", {256}}, {"effective_tokens_per_step", {192}}};
  EXPECT_EQ(bins_text(measured_lengths(measurement).value()), "1 x 64");
}

}  // namespace
}  // namespace stepgate
