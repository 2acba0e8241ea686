// Training loops of which some follow numbers of their device. In counts mode of the emulated GPU nobody has computed
// these, so stepgate has to find each of them, and not the one that only prints its loss.
#include <torch/torch.h>

#include <cstdio>

#include "stepgate/amp.h"
#include "stepgate/perftest.h"
#include "stepgate/step_marks.h"

namespace {

/// A step after its backward.
struct TrainedStep {
  torch::nn::Linear model;
  torch::optim::SGD& optimizer;
  torch::Tensor loss;
};

using Update = void (*)(TrainedStep&);

void update_unless_large(TrainedStep& step) {
  if (step.loss.item<float>() > 3) step.model->weight.mutable_grad().mul_(0.5);
  step.optimizer.step();
}

void update_until_small(TrainedStep& step) {
  for (int round = 0; round < 3; ++round) {
    step.optimizer.step();
    if (step.loss.item<float>() > 3) break;
  }
}

void update_scaled(TrainedStep& step) {
  stepgate::GradScaler scaler;
  static_cast<void>(scaler.scale(step.loss));
  static_cast<void>(scaler.step(step.optimizer));
  scaler.update();
}

void shrink_while_large(TrainedStep& step) {
  torch::Tensor gradient = step.model->weight.mutable_grad();
  for (int round = 0; round < 3 && gradient.norm().item<float>() > 1; ++round) gradient.mul_(0.5);
  step.optimizer.step();
}

void count_entries(TrainedStep& step) {
  static_cast<void>(torch::nonzero(step.model->weight));
  step.optimizer.step();
}

void print_loss(TrainedStep& step) {
  std::printf("loss %g\n", step.loss.item<float>());
  step.optimizer.step();
}

template <Update update>
void train(stepgate::StepMarks& marks, const stepgate::CaseContext& context) {
  constexpr std::int64_t rows = 8;
  constexpr std::int64_t columns = 16;
  torch::nn::Linear model(columns, 4);
  model->to(context.device);
  torch::optim::SGD optimizer(model->parameters(), 0.01);
  const torch::Tensor data = torch::randn({rows, columns});
  marks.parameters(model->parameters());
  while (marks.next_step()) {
    marks.loaded({.samples = rows});
    const torch::Tensor input = data.to(context.device);
    marks.copied({input});
    const torch::Tensor loss = model->forward(input).pow(2).mean();
    marks.forward_done(loss);
    loss.backward();
    marks.backward_done();
    TrainedStep step{model, optimizer, loss};
    update(step);
    optimizer.zero_grad();
    marks.optimizer_done();
  }
}

}  // namespace

int main(int argc, char** argv) {
  return stepgate::run_perftest(
      argc, argv,
      {{.name = "planted/branch/tiny", .loop = train<update_unless_large>, .device = "cuda"},
       {.name = "planted/early_stop/tiny", .loop = train<update_until_small>, .device = "cuda"},
       {.name = "planted/scaler/tiny", .loop = train<update_scaled>, .device = "cuda"},
       {.name = "planted/norm_loop/tiny", .loop = train<shrink_while_large>, .device = "cuda"},
       {.name = "planted/sized/tiny", .loop = train<count_entries>, .device = "cuda"},
       {.name = "planted/printed/tiny", .loop = train<print_loss>, .device = "cuda"}});
}
