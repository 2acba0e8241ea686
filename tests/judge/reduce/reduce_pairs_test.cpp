#include "judge/reduce/pairs/reduce_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Measurement process(std::int64_t wall_ns) {
  Replicate replicate;
  replicate.group = Group::timed;
  replicate.record.emplace();
  StepSample step;
  step.wall_ns = wall_ns;
  replicate.record->timed["e2e"] = {.clock = "steady_clock", .windows = {}, .steps = {step}};
  replicate.record->warmup = Warmup{.first_step_ns = 5000, .steps = 9, .steady = true, .reasons = {}};
  Measurement measurement;
  measurement.case_name = "example/mlp/tiny";
  measurement.replicates = {replicate};
  return measurement;
}

Measurement tainted(std::int64_t wall_ns) {
  Measurement measurement = process(wall_ns);
  measurement.replicates.front().taint_reasons = {"steal"};
  return measurement;
}

MeasuredPair pair_of(Measurement base, Measurement head, bool head_first = false) {
  return {.index = 0, .head_first = head_first, .base = std::move(base), .head = std::move(head)};
}

TEST(PairedValues, KeepThePairsInTheirOrder) {
  const std::vector<MeasuredPair> pairs = {pair_of(process(100), process(105)),
                                           pair_of(process(90), process(99), true)};
  const PairedValues values = paired_values(pairs);
  const std::vector<Pair>& steps = values.timed.at("step_time_ns");
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_NEAR(steps[0].base, 100, 1e-9);
  EXPECT_NEAR(steps[0].head, 105, 1e-9);
  EXPECT_FALSE(steps[0].head_first);
  EXPECT_NEAR(steps[1].head, 99, 1e-9);
  EXPECT_TRUE(steps[1].head_first);
  EXPECT_EQ(values.tainted_pairs, 0);
  EXPECT_EQ(clean_pairs(pairs), 2);
}

TEST(PairedValues, CountThePairsWhoseGeneratorWasLateOnEitherSide) {
  Measurement late = tainted(100);
  late.replicates.front().taint_reasons = {"generator_late_fraction 0.003 above 0.001: the generator was late"};
  const std::vector<MeasuredPair> pairs = {pair_of(late, process(105)), pair_of(process(90), late), pair_of(late, late),
                                           pair_of(process(90), tainted(99)), pair_of(process(100), process(100))};
  const PairedValues values = paired_values(pairs);
  EXPECT_EQ(values.tainted_pairs, 4);
  EXPECT_EQ(values.late_generator_pairs, 3);
  EXPECT_EQ(values.why_generator_late, late.replicates.front().taint_reasons.front());
  EXPECT_THAT(values.timed.at("step_time_ns"), SizeIs(1));
}

TEST(PairedValues, AProcessThatTookTurnsIsTold) {
  Measurement measured = process(100);
  EXPECT_FALSE(case_values(measured).took_turns);
  measured.replicates.front().record->waiting = WaitingCpu{.wall_ns = 100, .cpu_ns = 0};
  EXPECT_TRUE(case_values(measured).took_turns);
}

TEST(PairedValues, StepTimesHaveTheRatioOfTheMatchedSteps) {
  Measurement base = process(100);
  Measurement head = process(110);
  const auto also = [](Measurement& side, std::int64_t wall_ns) {
    StepSample step;
    step.wall_ns = wall_ns;
    side.replicates.front().record->timed["e2e"].steps.push_back(step);
  };
  for (const std::int64_t wall_ns : {200, 200}) also(base, wall_ns);
  for (const std::int64_t wall_ns : {220, 90}) also(head, wall_ns);
  const PairedValues values = paired_values(std::vector<MeasuredPair>{pair_of(base, head)});
  const Pair& pair = values.timed.at("step_time_ns").front();
  EXPECT_NEAR(pair.head / pair.base, 1.1, 1e-12) << "of the medians it would be 110 / 200";
  EXPECT_NEAR(pair.base * pair.head, 200 * 110, 1e-6);
}

TEST(PairedValues, OneTaintedSideDiscardsThePair) {
  const std::vector<MeasuredPair> pairs = {pair_of(process(100), tainted(105)), pair_of(tainted(100), process(105)),
                                           pair_of(process(100), process(105))};
  const PairedValues values = paired_values(pairs);
  EXPECT_THAT(values.timed.at("step_time_ns"), SizeIs(1));
  EXPECT_EQ(values.tainted_pairs, 2);
  EXPECT_EQ(clean_pairs(pairs), 1);
}

TEST(PairedValues, APairThatWasSetAsideIsCountedApart) {
  Measurement head = tainted(105);
  head.replicates.front().set_aside = "head worked while it waited";
  const std::vector<MeasuredPair> pairs = {pair_of(process(100), head), pair_of(tainted(100), process(105))};
  const PairedValues values = paired_values(pairs);
  EXPECT_THAT(values.timed, IsEmpty());
  EXPECT_EQ(values.set_aside_pairs, 1);
  EXPECT_EQ(values.tainted_pairs, 1);
  EXPECT_EQ(values.why_tainted, "steal");
  EXPECT_EQ(clean_pairs(pairs), 0);
}

TEST(PairedValues, ARetryAfterTaintCounts) {
  Measurement head = tainted(500);
  head.replicates.push_back(process(105).replicates.front());
  head.replicates.back().attempt = 1;
  const std::vector<MeasuredPair> pairs = {pair_of(process(100), head)};
  const PairedValues values = paired_values(pairs);
  ASSERT_THAT(values.timed.at("step_time_ns"), SizeIs(1));
  EXPECT_NEAR(values.timed.at("step_time_ns").front().head, 105, 1e-9);
}

TEST(PairedValues, AMetricOfOneSideMakesNoPair) {
  Measurement base = process(100);
  base.replicates.front().record->warmup.reset();
  const PairedValues values = paired_values(std::vector<MeasuredPair>{pair_of(base, process(105))});
  EXPECT_FALSE(values.timed.contains("first_step_ns"));
  EXPECT_TRUE(values.timed.contains("step_time_ns"));
}

TEST(PairedValues, TheControlIsOfOneMetric) {
  const std::vector<MeasuredPair> pairs = {pair_of(process(100), process(101))};
  const ControlResult control = control_result(pairs);
  EXPECT_EQ(control.case_name, "example/mlp/tiny");
  ASSERT_THAT(control.pairs, SizeIs(1));
  EXPECT_NEAR(control.pairs.front().head, 101, 1e-9);
  EXPECT_THAT(control_result({}).pairs, IsEmpty());
}

TEST(PairedValues, NameWhatOnlyTheBaseMeasured) {
  const auto with_samples = [](Measurement side) {
    side.replicates.front().record->timed["e2e"].steps.front().samples = 32;
    return side;
  };
  Measurement lost = process(105);
  lost.replicates.front().record->absent["samples_per_s"] = "the workload counts no samples";
  PairedValues values = paired_values(std::vector{pair_of(with_samples(process(100)), lost)});
  EXPECT_EQ(values.lost.at("samples_per_s"), "the workload counts no samples");
  EXPECT_FALSE(values.lost.contains("step_time_ns"));

  values = paired_values(std::vector{pair_of(with_samples(process(100)), process(105)),
                                     pair_of(with_samples(process(100)), with_samples(process(105)))});
  EXPECT_THAT(values.lost, IsEmpty()) << "one process of the head measured it";
  EXPECT_THAT(paired_values(std::vector{pair_of(process(100), with_samples(process(105)))}).lost, IsEmpty());
}

}  // namespace
}  // namespace stepgate
