#include <stepgate/perftest.h>

struct Mlp final : stepgate::Workload {
  torch::Tensor inputs = torch::randn({64, 32}), targets = torch::randint(10, {64});
  torch::nn::Sequential net{torch::nn::Linear(32, 64), torch::nn::ReLU(), torch::nn::Linear(64, 10)};
  torch::optim::SGD optimizer{net->parameters(), 0.1};

  explicit Mlp(torch::Device device) {
    net->to(device);
    if (device.is_cuda()) inputs = inputs.pin_memory(), targets = targets.pin_memory();
  }
  stepgate::Batch next_batch() override { return {.tensors = {inputs, targets}, .samples = 64}; }
  torch::Tensor forward(const stepgate::Batch& batch) override {
    return torch::cross_entropy_loss(net->forward(batch.tensors[0]), batch.tensors[1]);
  }
  void optimizer_step() override {
    optimizer.step();
    optimizer.zero_grad();
  }
  std::vector<torch::Tensor> parameters() const override { return net->parameters(); }
};

int main(int argc, char** argv) {
  const auto make = [](const stepgate::CaseContext& context) { return std::make_unique<Mlp>(context.device); };
  return stepgate::run_perftest(
      argc, argv, {{.name = "mine/mlp/tiny", .make = make}, {.name = "mine/mlp/gpu", .make = make, .device = "cuda"}});
}
