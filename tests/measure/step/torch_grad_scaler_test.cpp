#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <string>

#include "stepgate/amp.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// One parameter, whose gradient is `slope` times the scale.
struct Line {
  torch::Tensor weight = torch::ones({3}).requires_grad_(true);
  torch::optim::SGD optimizer{{weight}, torch::optim::SGDOptions(0.5)};

  torch::Tensor loss(float slope) const { return (weight * slope).sum(); }
  float value() const { return weight[0].item<float>(); }
};

/// A step whose gradient is `slope`; returns whether the optimizer ran.
bool train(Line& line, GradScaler& scaler, float slope) {
  scaler.scale(line.loss(slope)).backward();
  const bool updated = scaler.step(line.optimizer);
  scaler.update();
  line.optimizer.zero_grad();
  return updated;
}

/// Slope whose scaled gradient overflows.
std::vector<double> scales_after(GradScaler& scaler, Line& line, const std::vector<float>& slopes) {
  std::vector<double> scales;
  for (const float slope : slopes) {
    train(line, scaler, slope);
    scales.push_back(scaler.get_scale());
  }
  return scales;
}

template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::logic_error& refused) {
    return refused.what();
  }
  return "";
}

TEST(GradScaler, StartsWithPythonsDefaults) {
  const GradScalerOptions options;
  EXPECT_EQ(options.init_scale, 65536);
  EXPECT_EQ(options.growth_factor, 2);
  EXPECT_EQ(options.backoff_factor, 0.5);
  EXPECT_EQ(options.growth_interval, 2000);
  EXPECT_EQ(GradScaler().get_scale(), 65536);
}

TEST(GradScaler, TheUpdateSeesGradientsWithoutTheScale) {
  Line line;
  GradScaler scaler;
  EXPECT_TRUE(train(line, scaler, 0.25F));
  EXPECT_EQ(line.value(), 1 - 0.5F * 0.25F);
}

/// Growth after four good steps, an overflow in step 5 and a NaN in step 6 (counted from 0).
TEST(GradScaler, HalvesAtEachOverflowAndGrowsAfterTheInterval) {
  Line line;
  GradScaler scaler({.growth_interval = 4});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(scales_after(scaler, line, {1, 1, 1, 1, 1, infinity, nan, 1, 1, 1, 1}),
              ElementsAre(65536, 65536, 65536, 131072, 131072, 65536, 32768, 32768, 32768, 32768, 65536));
  EXPECT_EQ(scaler.skipped_steps(), 2);
}

TEST(GradScaler, ASkippedStepLeavesTheParametersAsTheyAre) {
  Line line;
  GradScaler scaler;
  train(line, scaler, 1);
  const torch::Tensor before = line.weight.detach().clone();
  EXPECT_FALSE(train(line, scaler, infinity));
  EXPECT_TRUE(torch::equal(line.weight, before));
  EXPECT_TRUE(train(line, scaler, 1));
  EXPECT_FALSE(torch::equal(line.weight, before));
}

/// Gradients of 2^108 overflow float32 with a scale of 2^20 or more: 2^128 is out of its range.
TEST(GradScaler, AScaleThatStartsTooHighFallsUntilNothingOverflows) {
  Line line;
  GradScaler scaler({.init_scale = std::ldexp(1.0, 40), .growth_interval = 1000});
  const float slope = std::ldexp(1.0F, 107);
  for (int step = 0; step < 30; ++step) train(line, scaler, slope);
  EXPECT_EQ(scaler.skipped_steps(), 20);
  EXPECT_EQ(scaler.get_scale(), std::ldexp(1.0, 20));
}

TEST(GradScaler, AnOverflowOfOneOptimizerSkipsItAloneAndLowersTheScaleOfBoth) {
  Line good;
  Line bad;
  GradScaler scaler;
  scaler.scale(good.loss(1) + bad.loss(infinity)).backward();
  EXPECT_TRUE(scaler.step(good.optimizer));
  EXPECT_FALSE(scaler.step(bad.optimizer));
  scaler.update();
  EXPECT_EQ(good.value(), 0.5);
  EXPECT_EQ(bad.value(), 1);
  EXPECT_EQ(scaler.get_scale(), 32768);
  EXPECT_EQ(scaler.skipped_steps(), 1);
}

TEST(GradScaler, ClippingAfterUnscaleSeesTrueGradients) {
  Line line;
  GradScaler scaler;
  scaler.scale(line.loss(2)).backward();
  scaler.unscale_(line.optimizer);
  EXPECT_EQ(line.weight.grad()[0].item<float>(), 2);
  EXPECT_TRUE(scaler.step(line.optimizer));
  EXPECT_EQ(line.value(), 0) << "unscaled once only";
}

TEST(GradScaler, TakesAListOfParametersAndAnUpdateOfOnesOwn) {
  Line line;
  GradScaler scaler;
  const std::vector<torch::Tensor> parameters = {line.weight};
  scaler.scale(line.loss(3)).backward();
  scaler.unscale_(parameters);
  int updates = 0;
  EXPECT_TRUE(scaler.step(parameters, [&] { ++updates; }));
  scaler.update();
  line.optimizer.zero_grad();
  scaler.scale(line.loss(infinity)).backward();
  EXPECT_FALSE(scaler.step(parameters, [&] { ++updates; }));
  EXPECT_EQ(updates, 1);
}

/// One tensor by at::_fused_adamw_, which unscales and skips in its kernel.
struct FusedLine {
  torch::Tensor weight = torch::ones({3}).requires_grad_(true);
  torch::Tensor average = torch::zeros({3});
  torch::Tensor square = torch::zeros({3});
  torch::Tensor steps = torch::zeros({});

  std::vector<torch::Tensor> parameters() const { return {weight}; }
  void step(const FusedScaling& scaling) {
    const torch::NoGradGuard no_grad;
    steps.add_(1);
    at::_fused_adamw_({weight}, {weight.grad()}, {average}, {square}, {}, {steps}, 0.1, 0.9, 0.999, 0, 1e-8, false,
                      false, scaling.grad_scale, scaling.found_inf);
    if (scaling.found_inf) steps.sub_(*scaling.found_inf);
  }
};

void train_fused(FusedLine& line, GradScaler& scaler, float slope) {
  scaler.scale((line.weight * slope).sum()).backward();
  scaler.step_fused(line);
  scaler.update();
  line.weight.mutable_grad().reset();
}

TEST(GradScaler, AFusedUpdateSkipsInItsKernelAndDoesNotCountTheStep) {
  FusedLine line;
  GradScaler scaler;
  train_fused(line, scaler, 1);
  const torch::Tensor weight = line.weight.detach().clone();
  const torch::Tensor average = line.average.clone();
  EXPECT_NEAR(weight[0].item<float>(), 0.9, 1e-6);
  train_fused(line, scaler, infinity);
  EXPECT_TRUE(torch::equal(line.weight, weight));
  EXPECT_TRUE(torch::equal(line.average, average));
  EXPECT_EQ(line.steps.item<float>(), 1);
  EXPECT_EQ(scaler.skipped_steps(), 1);
  EXPECT_EQ(scaler.get_scale(), 32768);
}

TEST(GradScaler, AFusedUpdateAfterUnscaleIsNotScaledAgain) {
  FusedLine line;
  FusedLine clipped;
  GradScaler scaler;
  train_fused(line, scaler, 0.001F);
  scaler.scale((clipped.weight * 0.001F).sum()).backward();
  scaler.unscale_for(clipped);
  EXPECT_FLOAT_EQ(clipped.weight.grad()[0].item<float>(), 0.001F);
  scaler.step_fused(clipped);
  EXPECT_TRUE(torch::equal(line.weight, clipped.weight));
  EXPECT_TRUE(torch::equal(line.average, clipped.average));
}

TEST(GradScaler, CallsOutOfOrderSayWhatToCallInstead) {
  Line line;
  GradScaler scaler;
  line.loss(1).backward();
  EXPECT_THAT(refusal([&] { scaler.step(line.optimizer); }), HasSubstr("scale(loss).backward() instead of"));
  EXPECT_THAT(refusal([&] { scaler.unscale_(line.optimizer); }), HasSubstr("no loss was scaled yet"));
  EXPECT_THAT(refusal([&] { scaler.update(); }), HasSubstr("no loss was scaled yet"));
  scaler.scale(line.loss(1)).backward();
  EXPECT_THAT(refusal([&] { scaler.update(); }), HasSubstr("call step() or unscale_() before it"));
  scaler.unscale_(line.optimizer);
  EXPECT_THAT(refusal([&] { scaler.unscale_(line.optimizer); }), HasSubstr("unscaled already"));
  scaler.step(line.optimizer);
  EXPECT_THAT(refusal([&] { scaler.step(line.optimizer); }), HasSubstr("call update() once at the end"));
  EXPECT_THAT(refusal([&] { scaler.unscale_(line.optimizer); }), HasSubstr("call update() once at the end"));
  scaler.update();
  line.optimizer.zero_grad();
  EXPECT_THAT(refusal([&] { scaler.step(line.optimizer); }), HasSubstr("before zero_grad()"));
}

TEST(GradScaler, OptionsAndGradientsThatDoNotFitAreRefused) {
  EXPECT_THAT(refusal([] { GradScaler({.init_scale = 0}); }), HasSubstr("init_scale must be above 0"));
  EXPECT_THAT(refusal([] { GradScaler({.growth_factor = 1}); }), HasSubstr("growth_factor must be above 1"));
  EXPECT_THAT(refusal([] { GradScaler({.backoff_factor = 1}); }), HasSubstr("backoff_factor"));
  EXPECT_THAT(refusal([] { GradScaler({.growth_interval = 0}); }), HasSubstr("growth_interval must be above 0"));
  const torch::Tensor half = torch::ones({3}, torch::kHalf).requires_grad_(true);
  GradScaler scaler({.init_scale = 2});
  scaler.scale((half * 1).sum()).backward();
  EXPECT_THAT(refusal([&] { scaler.unscale_(std::vector<torch::Tensor>{half}); }),
              HasSubstr("keep the parameters in float32"));
  EXPECT_THAT(refusal([&] { scaler.unscale_(std::vector<torch::Tensor>{}); }),
              HasSubstr("list of parameters is empty"));
}

TEST(GradScaler, SwitchedOffItIsNotThere) {
  Line line;
  GradScaler scaler({.enabled = false});
  const torch::Tensor loss = line.loss(1);
  EXPECT_TRUE(scaler.scale(loss).is_same(loss));
  loss.backward();
  scaler.unscale_(line.optimizer);
  EXPECT_TRUE(scaler.step(line.optimizer));
  scaler.update();
  EXPECT_EQ(line.value(), 0.5);
  EXPECT_EQ(scaler.get_scale(), 1);
}

TEST(GradScaler, GoesOnFromACheckpoint) {
  Line line;
  GradScaler scaler({.init_scale = 8, .growth_interval = 3});
  train(line, scaler, 1);
  train(line, scaler, 1);
  GradScaler later({.growth_interval = 3});
  later.load(scaler.state());
  EXPECT_EQ(later.get_scale(), 8);
  train(line, later, 1);
  EXPECT_EQ(later.get_scale(), 16) << "the third good step";
}

/// Losses of a model that fits one row by SGD, with its forward under autocast.
std::vector<float> losses(bool renewed) {
  torch::manual_seed(7);
  const torch::Tensor weight = torch::randn({8, 8}).requires_grad_(true);
  const torch::Tensor in = torch::randn({16, 8});
  const torch::Tensor wanted = torch::randn({16, 8});
  torch::optim::SGD optimizer({weight}, torch::optim::SGDOptions(1));
  std::vector<float> found;
  const auto step = [&] {
    const torch::Tensor loss = (at::linear(in, weight).to(torch::kFloat) - wanted).square().mean();
    found.push_back(loss.item<float>());
    return loss;
  };
  // One scope around the whole loop, the optimizer included, keeps the cast weights of its first step.
  const Autocast around(torch::kCPU, !renewed);
  for (int i = 0; i < 5; ++i) {
    torch::Tensor loss;
    if (renewed) {
      const Autocast forward(torch::kCPU, true);
      loss = step();
    } else {
      loss = step();
    }
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  return found;
}

TEST(AutocastCache, AScopeAroundTheLoopTrainsOnStaleWeightsAndOneInForwardDoesNot) {
  const auto stale = losses(false);
  const auto renewed = losses(true);
  EXPECT_EQ(stale.front(), renewed.front());
  EXPECT_EQ(stale.back(), stale.front()) << "forward still reads the cast of the first step";
  EXPECT_LT(renewed.back(), 0.9F * renewed.front());
}

}  // namespace
}  // namespace stepgate
