// A training job that knows nothing of perftests/: it forecasts the next readings of some sensors. Twice the same job,
// as a workload class and as a loop with marks. ci/bottlenecks plants bottlenecks in it.
#include <torch/torch.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "stepgate/perftest.h"
#include "stepgate/step_marks.h"

namespace {

constexpr std::int64_t sensors = 8;
constexpr std::int64_t history = 96;  ///< readings of each sensor that a forecast sees
constexpr std::int64_t horizon = 8;   ///< readings of each sensor that it says
constexpr std::int64_t width = 256;
constexpr std::int64_t blocks = 3;

struct Windows {
  torch::Tensor past;    ///< batch x (history * sensors)
  torch::Tensor future;  ///< batch x (horizon * sensors)
};

/// What the sensors recorded, in memory: waves with noise.
class Recording {
 public:
  explicit Recording(std::uint64_t seed) : draws_(seed) {
    const torch::Tensor time = torch::arange(length, torch::kFloat32).unsqueeze(1);
    const torch::Tensor periods = 20 + 200 * torch::rand({1, sensors});
    const torch::Tensor waves = torch::sin(time / periods) + 0.1 * torch::randn({length, sensors});
    readings_.assign(waves.data_ptr<float>(), waves.data_ptr<float>() + waves.numel());
  }

  /// Windows that begin anywhere.
  Windows draw(std::int64_t batch) {
    Windows drawn{torch::empty({batch, history * sensors}), torch::empty({batch, horizon * sensors})};
    float* past = drawn.past.data_ptr<float>();
    float* future = drawn.future.data_ptr<float>();
    for (std::int64_t row = 0; row < batch; ++row) {
      const auto begin = static_cast<std::int64_t>(draws_() % static_cast<std::uint64_t>(length - history - horizon));
      const float* from = readings_.data() + begin * sensors;
      past = std::copy_n(from, history * sensors, past);
      future = std::copy_n(from + history * sensors, horizon * sensors, future);
    }
    return drawn;
  }

 private:
  static constexpr std::int64_t length = 20'000;
  std::vector<float> readings_;  ///< length x sensors
  std::mt19937_64 draws_;
};

struct BlockImpl : torch::nn::Module {
  BlockImpl()
      : norm(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})))),
        wide(register_module("wide", torch::nn::Linear(width, 2 * width))),
        narrow(register_module("narrow", torch::nn::Linear(2 * width, width))) {}

  torch::Tensor forward(const torch::Tensor& input) { return input + narrow(torch::gelu(wide(norm(input)))); }

  torch::nn::LayerNorm norm;
  torch::nn::Linear wide;
  torch::nn::Linear narrow;
};
TORCH_MODULE(Block);

struct ForecasterImpl : torch::nn::Module {
  ForecasterImpl()
      : first(register_module("first", torch::nn::Linear(history * sensors, width))),
        body(register_module("body", torch::nn::Sequential())),
        last(register_module("last", torch::nn::Linear(width, horizon * sensors))) {
    for (std::int64_t i = 0; i < blocks; ++i) body->push_back(Block());
  }

  torch::Tensor forward(const torch::Tensor& past) { return last(body->forward(first(past))); }

  torch::nn::Linear first;
  torch::nn::Sequential body;
  torch::nn::Linear last;
};
TORCH_MODULE(Forecaster);

torch::Tensor loss_of(Forecaster& model, const torch::Tensor& past, const torch::Tensor& future) {
  return torch::mse_loss(model->forward(past), future);
}

torch::optim::SGDOptions optimizer_options() { return torch::optim::SGDOptions(0.01).momentum(0.9); }

std::int64_t batch_size_of(const stepgate::CaseContext& context) { return std::stoll(context.params.at("batch_size")); }

class ForecastJob final : public stepgate::Workload {
 public:
  explicit ForecastJob(const stepgate::CaseContext& context)
      : recording_(context.seed), batch_size_(batch_size_of(context)) {
    model_->to(context.device);
  }

  stepgate::Batch next_batch() override {
    const Windows drawn = recording_.draw(batch_size_);
    stepgate::Batch batch;
    batch.tensors = {drawn.past, drawn.future};
    batch.samples = batch_size_;
    return batch;
  }

  torch::Tensor forward(const stepgate::Batch& batch) override {
    return loss_of(model_, batch.tensors[0], batch.tensors[1]);
  }

  void optimizer_step() override {
    optimizer_.step();
    optimizer_.zero_grad();
  }

  void log_step(std::int64_t /*step*/, const torch::Tensor& loss) override { loss_sum_ += loss.detach(); }

  std::vector<torch::Tensor> parameters() const override { return model_->parameters(); }

 private:
  Recording recording_;
  std::int64_t batch_size_;
  Forecaster model_;
  torch::optim::SGD optimizer_{model_->parameters(), optimizer_options()};
  torch::Tensor loss_sum_ = torch::zeros({});
};

void train(stepgate::StepMarks& marks, const stepgate::CaseContext& context) {
  const std::int64_t batch_size = batch_size_of(context);
  Recording recording(context.seed);
  Forecaster model;
  model->to(context.device);
  torch::optim::SGD optimizer(model->parameters(), optimizer_options());
  torch::Tensor loss_sum = torch::zeros({}, context.device);
  marks.parameters(model->parameters());
  while (marks.next_step()) {
    const Windows drawn = recording.draw(batch_size);
    marks.loaded({.samples = batch_size});
    const torch::Tensor past = drawn.past.to(context.device);
    const torch::Tensor future = drawn.future.to(context.device);
    marks.copied({past, future});
    const torch::Tensor loss = loss_of(model, past, future);
    marks.forward_done(loss);
    loss.backward();
    marks.backward_done();
    optimizer.step();
    optimizer.zero_grad();
    marks.optimizer_done();
    loss_sum += loss.detach();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto make = [](const stepgate::CaseContext& context) { return std::make_unique<ForecastJob>(context); };
  const std::map<std::string, std::string> params{{"batch_size", "64"}};
  return stepgate::run_perftest(argc, argv,
                                {{.name = "foreign/forecast/workload", .make = make, .params = params},
                                 {.name = "foreign/forecast/loop", .loop = train, .params = params}});
}
