#include "train.h"

#include <stepgate/annotation.h>
#include <stepgate/throughput_meter.h>
#include <stepgate/watched_loader.h>
#include <torch/torch.h>

#include <cstdio>

namespace {

constexpr std::int64_t batch_size = 64;

class Points : public torch::data::Dataset<Points> {
 public:
  torch::data::Example<> get(std::size_t index) override {
    return {inputs_[static_cast<std::int64_t>(index)], targets_[static_cast<std::int64_t>(index)]};
  }
  torch::optional<std::size_t> size() const override { return 512; }

 private:
  torch::Tensor inputs_ = torch::randn({512, 32});
  torch::Tensor targets_ = torch::randint(10, {512});
};

torch::Tensor loss_of(torch::nn::Sequential& net, const torch::data::Example<>& batch) {
  const stepgate::Annotation range("loss_of");
  return torch::cross_entropy_loss(net->forward(batch.data), batch.target);
}

}  // namespace

void train(stepgate::StepMarks& marks, const TrainOptions& options) {
  torch::manual_seed(options.seed);
  torch::nn::Sequential net(torch::nn::Linear(32, 64), torch::nn::ReLU(), torch::nn::Linear(64, 10));
  net->to(options.device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      Points().map(torch::data::transforms::Stack<>()), batch_size);
  stepgate::ThroughputMeter meter({.window = 50});
  std::int64_t step = 0;
  marks.parameters(net->parameters());
  for (std::int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    for (auto& batch : stepgate::watched(marks, *loader)) {
      const stepgate::StepWork work{.samples = batch.data.size(0)};
      marks.loaded(work);
      const torch::data::Example<> on_device(batch.data.to(options.device), batch.target.to(options.device));
      marks.copied({on_device.data, on_device.target});
      const torch::Tensor loss = loss_of(net, on_device);
      marks.forward_done(loss);
      loss.backward();
      marks.backward_done();
      optimizer.step();
      optimizer.zero_grad();
      marks.optimizer_done();
      meter.step(work);
      if (options.show_every > 0 && ++step % options.show_every == 0) {
        std::printf("loss %.4f, %.0f samples/s\n", loss.item<double>(), meter.recent().samples_per_s.value_or(0));
      }
    }
  }
}
