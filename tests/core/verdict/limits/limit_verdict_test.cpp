#include "core/verdict/limits/limit_verdict.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

LimitVerdict verdict_of(AbsoluteLimitKind kind, const std::string& metric, double value) {
  return {.limit = {.kind = kind, .metric = metric, .value = value}, .outcome = LimitOutcome::met};
}

TEST(LimitVerdict, SaysWhatWasAskedAndWhatWasMeasured) {
  LimitVerdict floor = verdict_of(AbsoluteLimitKind::floor, "samples_per_s", 4000);
  floor.current = 4480;
  floor.range = ValueBounds{4410, 4560};
  floor.processes = 5;
  EXPECT_EQ(text_of(floor),
            "samples at least 4 000 samples/s: met, 4 480 samples/s [4 410 samples/s, 4 560 samples/s] over 5 "
            "processes");
  LimitVerdict budget = verdict_of(AbsoluteLimitKind::budget, "peak_allocated_bytes", 4096);
  budget.outcome = LimitOutcome::missed;
  budget.current = 4097;
  budget.processes = 1;
  EXPECT_EQ(text_of(budget), "peak allocated at most 4.00 KiB: missed, 4 097 B over 1 process");
}

TEST(LimitVerdict, SaysWhyItIsOpen) {
  LimitVerdict floor = verdict_of(AbsoluteLimitKind::floor, "mfu_ratio", 0.4);
  floor.outcome = LimitOutcome::unchecked;
  floor.why = "the peak of a CPU is not known";
  EXPECT_EQ(text_of(floor), "MFU at least 0.400: unchecked, the peak of a CPU is not known");
}

TEST(LimitVerdict, SaysThatItIsNotJudged) {
  LimitVerdict budget = verdict_of(AbsoluteLimitKind::budget, "gpu_energy_per_step_j", 12);
  budget.outcome = LimitOutcome::not_judged;
  budget.why = "the other process used energy";
  EXPECT_EQ(text_of(budget), "GPU energy of a step at most 12.0 J: not judged, the other process used energy");
}

TEST(LimitVerdict, ATargetThatIsNotReachedIsNotMissed) {
  LimitVerdict target = verdict_of(AbsoluteLimitKind::target, "step_time_ns", 1e6);
  target.outcome = LimitOutcome::missed;
  EXPECT_EQ(outcome_text(target), "not met");
  target.limit.kind = AbsoluteLimitKind::budget;
  EXPECT_EQ(outcome_text(target), "missed");
}

TEST(LimitVerdict, OutcomesHaveNames) {
  for (const auto outcome : {LimitOutcome::met, LimitOutcome::missed, LimitOutcome::undecided, LimitOutcome::unchecked,
                             LimitOutcome::not_judged})
    EXPECT_EQ(limit_outcome_named(name_of(outcome)), outcome);
  EXPECT_EQ(limit_outcome_named("kept"), std::nullopt);
}

}  // namespace
}  // namespace stepgate
