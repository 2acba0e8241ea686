// A small GAN as a loop of its own: two networks, two optimizers and two guarded losses in a step. STEPGATE_TEST_FAULT
// selects a mistake in the update of the discriminator.
#include <torch/torch.h>

#include <cstdlib>
#include <string_view>

#include "stepgate/perftest.h"
#include "stepgate/step_marks.h"

namespace {

bool has_fault(std::string_view name) {
  const char* selected = std::getenv("STEPGATE_TEST_FAULT");
  return selected != nullptr && name == selected;
}

torch::nn::Sequential network(std::int64_t in, std::int64_t out) {
  return torch::nn::Sequential(torch::nn::Linear(in, 32), torch::nn::LeakyReLU(), torch::nn::Linear(32, out));
}

/// How far the discriminator is from calling its input real (1) or generated (0).
torch::Tensor loss_on(const torch::Tensor& judged, double target) {
  return torch::binary_cross_entropy_with_logits(judged, torch::full_like(judged, target));
}

void train(stepgate::StepMarks& marks, const stepgate::CaseContext& context) {
  constexpr std::int64_t batch = 16;
  torch::nn::Sequential generator = network(8, 4);
  torch::nn::Sequential discriminator = network(4, 1);
  generator->to(context.device);
  discriminator->to(context.device);
  torch::optim::Adam of_generator(generator->parameters(), 1e-3);
  torch::optim::Adam of_discriminator(discriminator->parameters(), 1e-3);
  const torch::Tensor data = torch::randn({64, 4});
  const double real_target = has_fault("label_changed") ? 0.9 : 1.0;
  const int updates = has_fault("second_update") ? 2 : 1;

  marks.parameters(generator->parameters());
  for (std::int64_t step = 0; marks.next_step(); ++step) {
    const torch::Tensor samples = data.slice(0, step % 4 * batch, (step % 4 + 1) * batch);
    const torch::Tensor noise = torch::randn({batch, 8});
    marks.loaded({.samples = batch});
    const torch::Tensor real = samples.to(context.device);
    const torch::Tensor seed = noise.to(context.device);
    marks.copied({real, seed});

    const torch::Tensor fake = generator->forward(seed);
    torch::Tensor d_loss;
    for (int update = 0; update < updates; ++update) {
      of_discriminator.zero_grad();
      d_loss = loss_on(discriminator->forward(real), real_target) + loss_on(discriminator->forward(fake.detach()), 0);
      d_loss.backward();
      of_discriminator.step();
    }
    marks.boundary("discriminator", d_loss);

    of_generator.zero_grad();
    const torch::Tensor loss = loss_on(discriminator->forward(fake), 1);
    marks.forward_done(loss);
    loss.backward();
    marks.backward_done();
    of_generator.step();
    marks.optimizer_done();
  }
}

}  // namespace

int main(int argc, char** argv) {
  return stepgate::run_perftest(argc, argv, {{.name = "vision/gan/tiny", .loop = train}});
}
