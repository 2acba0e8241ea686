// Trains a line with stepgate::GradScaler and prints after each step: scale, updates skipped so far, parameters.
// tests/oracle/compare_scaler.py does the same with torch.amp.GradScaler.
//   scaled_steps KIND INIT_SCALE GROWTH_INTERVAL SLOPE...
// KIND is sgd, clipped (unscale_, then gradients between -1 and 1), two (a second optimizer, whose slope is 1) or fused
// (AdamW in one kernel). A slope is a number, inf or nan.
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "stepgate/amp.h"

namespace {

using stepgate::GradScaler;

torch::Tensor start() { return (torch::arange(1, 5).to(torch::kFloat32) / 8).requires_grad_(true); }

torch::optim::SGDOptions options() { return torch::optim::SGDOptions(0.5).momentum(0.9); }

/// As torch.optim.AdamW(fused=True).
struct FusedLine {
  torch::Tensor weight;
  torch::Tensor average = torch::zeros({4});
  torch::Tensor square = torch::zeros({4});
  torch::Tensor steps = torch::zeros({});

  std::vector<torch::Tensor> parameters() const { return {weight}; }
  void step(const stepgate::FusedScaling& scaling) {
    const torch::NoGradGuard no_grad;
    steps.add_(1);
    at::_fused_adamw_({weight}, {weight.grad()}, {average}, {square}, {}, {steps}, 0.1, 0.9, 0.999, 0.01, 1e-8, false,
                      false, scaling.grad_scale, scaling.found_inf);
    if (scaling.found_inf) steps.sub_(*scaling.found_inf);
  }
};

struct Training {
  std::string kind;
  GradScaler scaler;
  torch::Tensor first = start();
  torch::Tensor second = start();
  torch::optim::SGD first_optimizer{{first}, options()};
  torch::optim::SGD second_optimizer{{second}, options()};
  FusedLine fused{first};

  torch::Tensor loss(float slope) const {
    const torch::Tensor line = (first * first * slope).sum();
    return kind == "two" ? line + (second * second).sum() : line;
  }

  void step(float slope) {
    scaler.scale(loss(slope)).backward();
    if (kind == "clipped") {
      scaler.unscale_(first_optimizer);
      first.mutable_grad().clamp_(-1, 1);
    }
    kind == "fused" ? scaler.step_fused(fused) : static_cast<void>(scaler.step(first_optimizer));
    if (kind == "two") scaler.step(second_optimizer);
    scaler.update();
    first.mutable_grad().reset();
    second.mutable_grad().reset();
  }

  void print() const {
    std::printf("%.9g %lld", scaler.get_scale(), static_cast<long long>(scaler.skipped_steps()));
    for (const torch::Tensor& tensor : {first, second}) {
      for (int i = 0; i < 4; ++i) std::printf(" %.9g", static_cast<double>(tensor[i].item<float>()));
    }
    std::printf("\n");
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: scaled_steps KIND INIT_SCALE GROWTH_INTERVAL SLOPE...\n");
    return 2;
  }
  Training training{argv[1], GradScaler({.init_scale = std::atof(argv[2]), .growth_interval = std::atoll(argv[3])})};
  for (int i = 4; i < argc; ++i) {
    training.step(std::strtof(argv[i], nullptr));
    training.print();
  }
}
