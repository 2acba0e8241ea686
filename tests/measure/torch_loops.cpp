#include "measure/torch_loops.h"

#include <vector>

#include "measure/torch_toys.h"

namespace stepgate {
namespace {

torch::Tensor loss_of(torch::nn::Sequential& net, const torch::data::Example<>& batch, bool extra_operator) {
  torch::Tensor out = net->forward(batch.data);
  if (extra_operator) out = out.sigmoid();
  return torch::cross_entropy_loss(out, batch.target);
}

torch::nn::Sequential two_layers(std::int64_t in, std::int64_t out) {
  return torch::nn::Sequential(torch::nn::Linear(in, 16), torch::nn::ReLU(), torch::nn::Linear(16, out));
}

torch::Tensor distance_to(const torch::Tensor& judged, float target) {
  return torch::binary_cross_entropy_with_logits(judged, torch::full_like(judged, target));
}

}  // namespace

Case toy_gan(const GanPlan& plan) {
  const auto train = [plan](StepMarks& marks, const CaseContext&) {
    torch::nn::Sequential generator = two_layers(8, 4);
    torch::nn::Sequential discriminator = two_layers(4, 1);
    torch::optim::Adam of_generator(generator->parameters(), 1e-3);
    torch::optim::Adam of_discriminator(discriminator->parameters(), 1e-3);
    const torch::Tensor real = torch::randn({32, 4});
    marks.parameters(generator->parameters());
    for (std::int64_t step = 0; marks.next_step(); ++step) {
      const torch::Tensor noise = torch::randn({32, 8});
      marks.loaded({.samples = 32});
      const torch::Tensor fake = generator->forward(noise);
      torch::Tensor loss_of_discriminator;
      for (std::int64_t i = 0; i < plan.discriminator_steps; ++i) {
        of_discriminator.zero_grad();
        loss_of_discriminator =
            distance_to(discriminator->forward(real), 1) + distance_to(discriminator->forward(fake.detach()), 0);
        loss_of_discriminator.backward();
        of_discriminator.step();
      }
      if (step == plan.no_loss_in_step)
        marks.boundary(plan.name);
      else if (step != plan.misses_in_step)
        marks.boundary(plan.name, loss_of_discriminator);
      const torch::Tensor loss = distance_to(discriminator->forward(fake), 1);
      marks.forward_done(loss);
      of_generator.zero_grad();
      loss.backward();
      marks.backward_done();
      of_generator.step();
      marks.optimizer_done();
      if (plan.at_end) plan.at_end(marks, step);
    }
  };
  return {.name = "toy/gan/tiny", .loop = train, .steps = toy_mlp().steps};
}

void train_mlp(StepMarks& marks, const LoopPlan& plan) {
  const torch::Tensor inputs = torch::randn({32, 64});
  const torch::Tensor targets = torch::randint(10, {32});
  torch::nn::Sequential net(torch::nn::Linear(64, 64), torch::nn::ReLU(), torch::nn::Linear(64, 10));
  torch::optim::AdamW optimizer(net->parameters(), torch::optim::AdamWOptions(1e-3));
  std::vector<torch::Tensor> losses;
  if (plan.gives_parameters) marks.parameters(net->parameters());
  for (std::int64_t step = 0; step != plan.own_steps && (marks.next_step() || plan.ignores_the_end); ++step) {
    marks.loaded({.samples = 32});
    const torch::Tensor x = inputs.clone();
    const torch::Tensor y = targets.clone();
    if (plan.marks_copied) plan.gives_tensors ? marks.copied({x, y}) : marks.copied();
    const torch::Tensor loss = loss_of(net, {x, y}, plan.extra_operator);
    marks.forward_done(loss);
    if (plan.in_backward) plan.in_backward(step);
    loss.backward();
    if (plan.marks_backward) marks.backward_done();
    optimizer.step();
    optimizer.zero_grad();
    marks.optimizer_done();
    if (plan.keeps_losses) losses.push_back(loss);
    if (plan.at_end) plan.at_end(marks, step);
  }
  if (plan.behind_loop) plan.behind_loop();
}

Case toy_loop(const LoopPlan& plan) {
  return {.name = "toy/loop/tiny",
          .loop = [plan](StepMarks& marks, const CaseContext&) { train_mlp(marks, plan); },
          .steps = toy_mlp().steps};
}

}  // namespace stepgate
