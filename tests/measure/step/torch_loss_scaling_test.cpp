#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "core/error.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"
#include "stepgate/amp.h"
#include "stepgate/perftest.h"

namespace stepgate {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// loss = slope * sum of four weights by SGD; the slope of each step comes from `slope_of`.
class ScaledLine final : public Workload {
 public:
  ScaledLine(float (*slope_of)(std::int64_t), bool scaled) : slope_of_(slope_of), scaler_({.enabled = scaled}) {}

  Batch next_batch() override { return {.tensors = {torch::full({1}, slope_of_(step_++))}, .samples = 1}; }
  torch::Tensor forward(const Batch& batch) override { return (weight_ * batch.tensors[0]).sum(); }
  void backward(const torch::Tensor& loss) override { scaler_.scale(loss).backward(); }
  void optimizer_step() override {
    scaler_.step(optimizer_);
    scaler_.update();
    optimizer_.zero_grad();
  }
  std::optional<LossScaling> loss_scaling() const override {
    return LossScaling{.scale = scaler_.get_scale(), .skipped_steps = scaler_.skipped_steps()};
  }
  std::vector<torch::Tensor> parameters() const override { return {weight_}; }

 private:
  float (*slope_of_)(std::int64_t);
  std::int64_t step_ = 0;
  torch::Tensor weight_ = torch::ones({4}).requires_grad_(true);
  torch::optim::SGD optimizer_{{weight_}, torch::optim::SGDOptions(0.125)};
  GradScaler scaler_;
};

float never(std::int64_t) { return 0.5F; }
float in_step_two(std::int64_t step) { return step == 2 ? std::numeric_limits<float>::infinity() : 0.5F; }
float always(std::int64_t) { return std::numeric_limits<float>::infinity(); }

/// The steps of ScaledLine as a loop of the user's own.
void train_scaled_line(StepMarks& marks, float (*slope_of)(std::int64_t)) {
  const torch::Tensor weight = torch::ones({4}).requires_grad_(true);
  torch::optim::SGD optimizer({weight}, torch::optim::SGDOptions(0.125));
  GradScaler scaler;
  marks.parameters({weight});
  marks.loss_scaling(
      [&scaler] { return LossScaling{.scale = scaler.get_scale(), .skipped_steps = scaler.skipped_steps()}; });
  for (std::int64_t step = 0; marks.next_step(); ++step) {
    const torch::Tensor slope = torch::full({1}, slope_of(step));
    marks.loaded({.samples = 1});
    marks.copied({slope});
    const torch::Tensor loss = (weight * slope).sum();
    marks.forward_done(loss);
    scaler.scale(loss).backward();
    marks.backward_done();
    scaler.step(optimizer);
    scaler.update();
    optimizer.zero_grad();
    marks.optimizer_done();
  }
}

RunRecord record_of(const Case& test_case, Pass pass) {
  const std::unique_ptr<DeviceSide> device = open_device("cpu");
  RunSettings settings;
  settings.steps.exact_warmup = 1;
  settings.steps.counts = 4;
  settings.steps.numerics = 4;
  settings.steps.e2e = 20;
  settings.steps.window = 10;
  settings.steps.warmup_cap = 40;
  CaseRun run(test_case, *device, settings);
  run.run(pass);
  return run.take_record(row_of(pass).group);
}

RunRecord record_of(float (*slope_of)(std::int64_t), Pass pass, bool scaled = true) {
  Case test_case;
  test_case.name = "suite/scaled_line/tiny";
  test_case.make = [=](const CaseContext&) { return std::make_unique<ScaledLine>(slope_of, scaled); };
  return record_of(test_case, pass);
}

RunRecord record_of_loop(float (*slope_of)(std::int64_t), Pass pass) {
  Case test_case;
  test_case.name = "suite/scaled_loop/tiny";
  test_case.loop = [=](StepMarks& marks, const CaseContext&) { train_scaled_line(marks, slope_of); };
  return record_of(test_case, pass);
}

std::vector<std::int64_t> skips(const RunRecord& record) { return record.counts->per_step.at("amp_skips_per_step"); }

TEST(LossScaling, TheCountsPassCountsSkippedUpdatesByStep) {
  EXPECT_THAT(skips(record_of(in_step_two, Pass::counts)), ElementsAre(0, 1, 0, 0)) << "after one step of warm-up";
  EXPECT_THAT(skips(record_of(always, Pass::counts)), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(skips(record_of(never, Pass::counts)), Each(0));
}

/// The trap: a step that skips its update calls fewer operators, so counts alone look like an improvement.
TEST(LossScaling, ASkippedUpdateHasFewerOperators) {
  const auto operators = record_of(in_step_two, Pass::counts).counts->per_step.at("operators_per_step");
  EXPECT_LT(operators[1], operators[0]);
  EXPECT_EQ(operators[2], operators[0]);
}

TEST(LossScaling, ReadingTheScalerBelongsToNoBoundary) {
  const auto scaled = record_of(never, Pass::counts);
  // step() reads found_inf once; the scale, which the pass reads after each step, would make it two.
  EXPECT_THAT(scaled.counts->per_step.at("host_syncs_per_step"), Each(1));
}

TEST(LossScaling, WindowsWithASkippedUpdateAreLeftOutOfTheTimes) {
  const RunRecord always_skips = record_of(always, Pass::e2e);
  ASSERT_EQ(always_skips.timed.at("e2e").windows.size(), 2U);
  for (const Window& window : always_skips.timed.at("e2e").windows) EXPECT_TRUE(window.skipped_update);
  for (const StepSample& step : always_skips.timed.at("e2e").steps) EXPECT_TRUE(step.left_out());
  for (const Window& window : record_of(never, Pass::e2e).timed.at("e2e").windows) EXPECT_FALSE(window.left_out());
}

TEST(LossScaling, AFirstStepWithoutItsUpdateHasNoTime) {
  EXPECT_THAT(record_of(always, Pass::e2e).absent.at("first_step_ns"), HasSubstr("skipped the update"));
  EXPECT_FALSE(record_of(never, Pass::e2e).absent.contains("first_step_ns"));
}

/// In all that the gate makes of it a loop that tells of its scaler is like a workload.
TEST(LossScaling, ALoopTellsOfItsScaler) {
  EXPECT_THAT(skips(record_of_loop(in_step_two, Pass::counts)), ElementsAre(0, 1, 0, 0));
  EXPECT_FALSE(record_of_loop(never, Pass::counts).absent.contains("amp_skips_per_step"));
  EXPECT_THAT(record_of_loop(never, Pass::counts).counts->per_step.at("host_syncs_per_step"), Each(1))
      << "reading the scaler belongs to no boundary";
  const NumericTrace trace = *record_of_loop(in_step_two, Pass::numerics).numerics;
  EXPECT_THAT(trace.loss_scale, ElementsAre(65536, 65536, 32768, 32768));
  EXPECT_EQ(trace.grad_norm.at(3), 1) << "divided by the scale";
  const RunRecord always_skips = record_of_loop(always, Pass::e2e);
  for (const Window& window : always_skips.timed.at("e2e").windows) EXPECT_TRUE(window.skipped_update);
  EXPECT_TRUE(always_skips.absent.contains("first_step_ns"));
}

TEST(LossScaling, ALoopTellsOfItsScalerBeforeItsFirstStep) {
  Case late;
  late.name = "suite/late_scaler/tiny";
  late.loop = [](StepMarks& marks, const CaseContext&) {
    while (marks.next_step()) marks.loss_scaling([] { return LossScaling{}; });
  };
  EXPECT_THROW(record_of(late, Pass::counts), Error);
}

TEST(LossScaling, TheScaleIsANumberOfTheNumerics) {
  const NumericTrace steady = *record_of(never, Pass::numerics).numerics;
  EXPECT_THAT(steady.loss_scale, Each(65536));
  EXPECT_THAT(steady.loss_scale, testing::SizeIs(4));
  EXPECT_THAT(record_of(in_step_two, Pass::numerics).numerics->loss_scale, ElementsAre(65536, 65536, 32768, 32768));
}

TEST(LossScaling, GradientNormsAreThoseOfTheLossItself) {
  const auto scaled = record_of(never, Pass::numerics).numerics->grad_norm;
  EXPECT_EQ(scaled, record_of(never, Pass::numerics, false).numerics->grad_norm);
  EXPECT_THAT(scaled, Each(1)) << "four gradients of 0.5";
}

/// diagnose/precision reads the order of the scaler's calls from it.
TEST(LossScaling, TheObserverShowsGradientsAndTheOrderOfTheScalersCalls) {
  const RunRecord record = record_of(never, Pass::counts);
  ASSERT_TRUE(record.counts->observed);
  const auto& sites = record.counts->observed->sites;
  const auto named = [&](const std::string& name) {
    return std::ranges::find(sites, "aten::" + name, &OperatorSite::name);
  };
  const auto unscale = named("_amp_foreach_non_finite_check_and_unscale_");
  const auto update = named("_amp_update_scale_");
  ASSERT_NE(unscale, sites.end());
  ASSERT_NE(update, sites.end());
  EXPECT_LT(unscale, update);
  EXPECT_EQ(unscale->boundary, "optimizer");
  EXPECT_EQ(unscale->inputs.at(0).from, "gradient");
  EXPECT_EQ(unscale->inputs.size(), 3U) << "one gradient, found_inf, inverse scale";
}

TEST(LossScaling, AWorkloadWithoutItSaysWhySkipsAreAbsent) {
  const std::unique_ptr<DeviceSide> device = open_device("cpu");
  RunSettings settings;
  settings.steps.counts = 2;
  const Case mlp = toy_mlp();
  CaseRun run(mlp, *device, settings);
  run.run(Pass::counts);
  const RunRecord record = run.take_record(Group::exact);
  EXPECT_FALSE(record.counts->per_step.contains("amp_skips_per_step"));
  EXPECT_THAT(record.absent.at("amp_skips_per_step"), HasSubstr("the workload scales no loss"));
}

}  // namespace
}  // namespace stepgate
