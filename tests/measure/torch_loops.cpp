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

}  // namespace

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
