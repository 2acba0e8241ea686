#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stepgate/checkpoint.h"
#include "stepgate/graphed_step.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr int trained_steps = 12;
constexpr std::int64_t graph_rows = 16;
constexpr std::int64_t columns = 32;
// A graph runs the kernels of the eager step in another order of streams, no other kernels.
constexpr double graph_loss_rtol = 1e-5;

/// A net with a fused AdamW whose numbers of steps are on the device, as a graph needs it.
class FusedTraining {
 public:
  explicit FusedTraining(const torch::Device& device) {
    torch::manual_seed(7);
    net_ = torch::nn::Sequential(torch::nn::Linear(columns, 64), torch::nn::GELU(), torch::nn::Linear(64, 10));
    net_->to(device);
    parameters_ = net_->parameters();
    for (const torch::Tensor& parameter : parameters_) {
      averages_.push_back(torch::zeros_like(parameter).detach());
      squares_.push_back(torch::zeros_like(parameter).detach());
      counts_.push_back(torch::zeros({}, parameter.options().requires_grad(false)));
    }
  }

  torch::Tensor step(const std::vector<torch::Tensor>& inputs) {
    net_->zero_grad();
    const torch::Tensor loss = torch::cross_entropy_loss(net_->forward(inputs[0]), inputs[1]);
    loss.backward();
    update();
    return loss;
  }

 private:
  void update() {
    const torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> gradients;
    for (const torch::Tensor& parameter : parameters_) gradients.push_back(parameter.grad());
    at::_foreach_add_(counts_, 1);
    at::_fused_adamw_(parameters_, gradients, averages_, squares_, {}, counts_, 1e-2, 0.9, 0.999, 0.01, 1e-8,
                      /*amsgrad=*/false, /*maximize=*/false);
  }

  torch::nn::Sequential net_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> averages_;
  std::vector<torch::Tensor> squares_;
  std::vector<torch::Tensor> counts_;
};

std::vector<torch::Tensor> batch_on(const torch::Device& device, int number, std::int64_t of_rows = graph_rows) {
  torch::manual_seed(static_cast<std::uint64_t>(number));
  return {torch::randn({of_rows, columns}).to(device), torch::randint(10, {of_rows}).to(device)};
}

std::string refusal_of(GraphedStep& graphed, const std::vector<torch::Tensor>& inputs) {
  try {
    graphed(inputs);
  } catch (const std::runtime_error& refused) {
    return refused.what();
  }
  return "";
}

TEST(GraphedStep, IsMadeWithoutAGpuAndSaysWhatItNeeds) {
  int calls = 0;
  GraphedStep graphed([&](const std::vector<torch::Tensor>& inputs) {
    ++calls;
    return inputs[0].sum();
  });
  EXPECT_THAT(refusal_of(graphed, {torch::ones({2})}), HasSubstr("CUDA"));
  EXPECT_THAT(refusal_of(graphed, {}), HasSubstr("CUDA"));
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(graphed.facts().captures, 0);
}

TEST(GraphedStep, NeedsAStepAndAWarmUp) {
  EXPECT_THROW(GraphedStep({}), std::invalid_argument);
  EXPECT_THROW(GraphedStep([](const auto& inputs) { return inputs[0]; }, {.warm_up = 0}), std::invalid_argument);
}

/// These need a GPU.
class GraphedStepOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device is visible to this process";
  }

  const torch::Device gpu_{torch::kCUDA, 0};
};

TEST_F(GraphedStepOnGpu, TrainsAsTheEagerStep) {
  FusedTraining eager(gpu_);
  FusedTraining training(gpu_);
  GraphedStep graphed([&](const std::vector<torch::Tensor>& inputs) { return training.step(inputs); });
  for (int i = 0; i < trained_steps; ++i) {
    const auto batch = batch_on(gpu_, i);
    const double expected = eager.step(batch).item<double>();
    EXPECT_NEAR(graphed(batch).item<double>(), expected, graph_loss_rtol * std::abs(expected)) << "step " << i;
  }
  const GraphFacts facts = graphed.facts();
  EXPECT_EQ(facts.captures, 1);
  EXPECT_GT(facts.kernel_nodes, 10);
  EXPECT_GT(facts.pool_bytes, 0);
}

TEST_F(GraphedStepOnGpu, RecordsEachShapeOnce) {
  FusedTraining eager(gpu_);
  FusedTraining training(gpu_);
  GraphedStep graphed([&](const std::vector<torch::Tensor>& inputs) { return training.step(inputs); }, {.warm_up = 1});
  for (int i = 0; i < trained_steps; ++i) {
    const auto batch = batch_on(gpu_, i, i % 2 == 0 ? graph_rows : graph_rows / 2);
    const double expected = eager.step(batch).item<double>();
    EXPECT_NEAR(graphed(batch).item<double>(), expected, graph_loss_rtol * std::abs(expected)) << "step " << i;
  }
  EXPECT_EQ(graphed.facts().captures, 2);
}

TEST_F(GraphedStepOnGpu, LeavesTheGradientsOfTheGraphThatRan) {
  torch::manual_seed(7);
  torch::nn::Linear layer(columns, 10);
  layer->to(gpu_);
  const auto gradient_of =
      [&](const std::vector<torch::Tensor>& inputs) {  // without an update: it depends on the batch
        layer->zero_grad();
        const torch::Tensor loss = torch::cross_entropy_loss(layer->forward(inputs[0]), inputs[1]);
        loss.backward();
        return loss;
      };
  GraphedStep graphed(gradient_of, {.warm_up = 1, .parameters = layer->parameters()});
  for (int i = 0; i < trained_steps; ++i) {
    const auto batch = batch_on(gpu_, i, i % 2 == 0 ? graph_rows : graph_rows / 2);
    graphed(batch);
    const torch::Tensor found = layer->weight.grad().clone();
    gradient_of(batch);
    EXPECT_TRUE(torch::allclose(found, layer->weight.grad(), graph_loss_rtol, 1e-7)) << "step " << i;
  }
}

/// The loss after some steps of plain gradient descent whose first layer is checkpointed; NaN where `refusal` says why.
double checkpointed_loss(const torch::Device& device, bool graph, std::string& refusal) {
  torch::manual_seed(7);
  torch::nn::Linear first(columns, 64);
  torch::nn::Linear last(64, 10);
  first->to(device);
  last->to(device);
  std::vector<torch::Tensor> parameters = first->parameters();
  for (const torch::Tensor& parameter : last->parameters()) parameters.push_back(parameter);
  const auto step = [&](const std::vector<torch::Tensor>& inputs) {
    for (torch::Tensor& parameter : parameters) parameter.mutable_grad().reset();
    const torch::Tensor hidden =
        checkpoint([&](const torch::Tensor& rows) { return torch::gelu(first->forward(rows)); }, inputs[0]);
    const torch::Tensor loss = torch::cross_entropy_loss(last->forward(hidden), inputs[1]);
    loss.backward();
    const torch::NoGradGuard no_grad;
    for (torch::Tensor& parameter : parameters) parameter.sub_(parameter.grad(), 0.1);
    return loss;
  };
  GraphedStep graphed(step, {.parameters = parameters});
  const auto batch = batch_on(device, 0);
  double loss = std::nan("");
  try {
    for (int i = 0; i < trained_steps; ++i) loss = (graph ? graphed(batch) : step(batch)).item<double>();
  } catch (const std::runtime_error& refused) {
    refusal = refused.what();
    return std::nan("");
  }
  return loss;
}

/// LibTorch decides whether the state of a generator may be taken while a graph is recorded: from 2.10 on it may.
TEST_F(GraphedStepOnGpu, RecordsACheckpointOrNamesIt) {
  std::string refusal;
  const double eager = checkpointed_loss(gpu_, false, refusal);
  ASSERT_EQ(refusal, "");
  const double replayed = checkpointed_loss(gpu_, true, refusal);
  RecordProperty("checkpoint_in_a_graph", refusal.empty() ? "recorded" : refusal);
  if (!refusal.empty()) {
    EXPECT_THAT(refusal, HasSubstr("stepgate::checkpoint()"));
    return;
  }
  EXPECT_NEAR(replayed, eager, graph_loss_rtol * std::abs(eager));
}

TEST_F(GraphedStepOnGpu, RefusesAStepThatRecordsNothing) {
  torch::Tensor constant = torch::ones({}, gpu_);
  GraphedStep graphed([&](const auto&) { return constant; }, {.warm_up = 1});
  EXPECT_EQ(refusal_of(graphed, {constant}), "");
  EXPECT_THAT(refusal_of(graphed, {constant}), HasSubstr("without kernels"));
}

// The trap that graphed_step.h names: without this test nothing would tell.
TEST_F(GraphedStepOnGpu, FreezesTheStepThatAnOptimizerCountsOnTheHost) {
  const auto losses_with = [&](bool graph) {
    torch::manual_seed(7);
    torch::nn::Sequential net(torch::nn::Linear(columns, 10));
    net->to(gpu_);
    torch::optim::AdamW optimizer(net->parameters(), torch::optim::AdamWOptions(1e-2));
    const auto step = [&](const std::vector<torch::Tensor>& inputs) {
      optimizer.zero_grad();
      const torch::Tensor loss = torch::cross_entropy_loss(net->forward(inputs[0]), inputs[1]);
      loss.backward();
      optimizer.step();
      return loss;
    };
    GraphedStep graphed(step);
    const auto batch = batch_on(gpu_, 0);
    double last = 0;
    for (int i = 0; i < trained_steps; ++i) last = (graph ? graphed(batch) : step(batch)).item<double>();
    return last;
  };
  const double eager = losses_with(false);
  EXPECT_GT(std::abs(losses_with(true) - eager), graph_loss_rtol * eager);
}

}  // namespace
}  // namespace stepgate
