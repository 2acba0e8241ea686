#include "measure/torch_toys.h"

#include <ATen/Parallel.h>

#include <stdexcept>
#include <thread>

#include "stepgate/whole_step_workload.h"

namespace stepgate {
namespace {

constexpr std::int64_t batch_size = 32;
constexpr std::int64_t width = 64;
constexpr std::int64_t classes = 10;

/// Small, because toys run many times. Every pass has its own number, so that a test notices if they are confused.
StepCounts few_steps() {
  return {.e2e = 20,
          .window = 5,
          .phase = 6,
          .synthetic = 10,
          .counts = 4,
          .memory = 5,
          .numerics = 3,
          .exact_warmup = 2,
          .warmup_cap = 40};
}

class Mlp final : public Workload {
 public:
  explicit Mlp(Fault fault)
      : fault_(fault),
        inputs_(torch::randn({batch_size, width})),
        targets_(torch::randint(classes, {batch_size})),
        net_(torch::nn::Linear(width, width), torch::nn::ReLU(), torch::nn::Linear(width, classes)),
        optimizer_(net_->parameters(), torch::optim::AdamWOptions(1e-3)) {
    if (fault_ == Fault::sets_threads) at::set_num_threads(2);
  }

  Batch next_batch() override {
    Batch batch{.tensors = {inputs_, targets_}, .samples = batch_size};
    if (fault_ == Fault::extra_tensor) batch.tensors.push_back(inputs_);
    if (fault_ == Fault::loads_on_a_thread) std::thread([&] { batch.tensors[0] = inputs_.flip(0); }).join();
    return batch;
  }

  torch::Tensor forward(const Batch& batch) override {
    torch::Tensor out;
    const auto run_net = [&] { out = net_->forward(batch.tensors[0]); };
    fault_ == Fault::forward_on_a_thread ? std::thread(run_net).join() : run_net();
    if (fault_ == Fault::extra_operator) out = out.sigmoid();
    if (fault_ == Fault::bad_loss) return out;
    torch::Tensor loss = torch::cross_entropy_loss(out, batch.tensors[1]);
    if (fault_ == Fault::item_in_forward) last_loss_ = loss.item<float>();
    if (fault_ == Fault::keeps_activation) kept_ = out.detach().repeat({100, 1});
    if (fault_ == Fault::leaks) leaked_.push_back(torch::zeros({100}));
    if (fault_ == Fault::throws && ++calls_ == 2) throw std::runtime_error("the toy is broken");
    return loss;
  }

  void optimizer_step() override {
    optimizer_.step();
    optimizer_.zero_grad();
  }

  void log_step(std::int64_t step, const torch::Tensor& /*loss*/) override {
    if (fault_ == Fault::keeps_a_journal && step % 16 == 8) journal_.emplace_back(std::size_t{1} << 20);
    if (fault_ == Fault::evaluates_unguarded) evaluated_ = net_->forward(inputs_).sum();
    if (fault_ != Fault::evaluates) return;
    const torch::NoGradGuard guard;
    evaluated_ = net_->forward(inputs_).sum();
  }

  std::vector<torch::Tensor> parameters() const override { return net_->parameters(); }

 private:
  Fault fault_;
  torch::Tensor inputs_;
  torch::Tensor targets_;
  torch::nn::Sequential net_;
  torch::optim::AdamW optimizer_;
  torch::Tensor kept_;
  torch::Tensor evaluated_;
  std::vector<torch::Tensor> leaked_;
  std::vector<std::vector<char>> journal_;
  float last_loss_ = 0;
  int calls_ = 0;
};

class Conv final : public Workload {
 public:
  Conv()
      : images_(torch::randn({8, 3, 12, 12})),
        targets_(torch::randint(classes, {8})),
        net_(torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 8, 3)), torch::nn::BatchNorm2d(8), torch::nn::GELU(),
             torch::nn::Flatten(), torch::nn::Linear(800, classes)),
        optimizer_(net_->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9)) {}

  Batch next_batch() override { return {.tensors = {images_, targets_}, .samples = 8}; }
  torch::Tensor forward(const Batch& batch) override {
    return torch::cross_entropy_loss(net_->forward(batch.tensors[0]), batch.tensors[1]);
  }
  void optimizer_step() override {
    optimizer_.step();
    optimizer_.zero_grad();
  }
  std::vector<torch::Tensor> parameters() const override { return net_->parameters(); }

 private:
  torch::Tensor images_;
  torch::Tensor targets_;
  torch::nn::Sequential net_;
  torch::optim::SGD optimizer_;
};

/// The training of both twins below.
struct Training {
  torch::Tensor inputs = torch::randn({batch_size, width});
  torch::Tensor targets = torch::randint(classes, {batch_size});
  torch::nn::Sequential net{torch::nn::Linear(width, width), torch::nn::ReLU(), torch::nn::Linear(width, classes)};
  torch::optim::SGD optimizer{net->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9)};

  Batch batch() const { return {.tensors = {inputs, targets}, .samples = batch_size}; }
  torch::Tensor loss_of(const Batch& given) {
    return torch::cross_entropy_loss(net->forward(given.tensors[0]), given.tensors[1]);
  }
};

class EagerTwin final : public Workload {
 public:
  Batch next_batch() override { return training_.batch(); }
  torch::Tensor forward(const Batch& batch) override { return training_.loss_of(batch); }
  void optimizer_step() override {
    training_.optimizer.step();
    training_.optimizer.zero_grad();
  }
  std::vector<torch::Tensor> parameters() const override { return training_.net->parameters(); }

 private:
  Training training_;
};

class WholeStep final : public WholeStepWorkload {
 public:
  explicit WholeStep(WholeFault fault) : fault_(fault) {}

  Batch next_batch() override { return training_.batch(); }
  torch::Tensor step(const Batch& batch) override {
    ++steps_;
    training_.optimizer.zero_grad();
    const torch::Tensor loss = training_.loss_of(batch);
    loss.backward();
    training_.optimizer.step();
    if (fault_ != WholeFault::keeps_gradients) training_.optimizer.zero_grad();
    if (fault_ == WholeFault::no_number) return batch.tensors[0];
    if (fault_ == WholeFault::holds_graphs) {
      held_.push_back(loss);
      return loss;
    }
    return loss.detach();
  }
  bool hides_operators() const override { return fault_ == WholeFault::hides_operators; }
  std::optional<std::int64_t> compile_seconds() const override {
    return hides_operators() ? std::optional<std::int64_t>(112) : std::nullopt;
  }
  std::optional<GraphFacts> graphs() const override {
    if (fault_ != WholeFault::captures_late) return std::nullopt;
    return GraphFacts{.captures = steps_ < 4 ? 1 : 2,
                      .kernel_nodes = 17,
                      .memcpy_nodes = 3,
                      .memset_nodes = 2,
                      .pool_bytes = 4096,
                      .recording_ns = 5000};
  }
  std::vector<torch::Tensor> parameters() const override { return training_.net->parameters(); }

 private:
  WholeFault fault_;
  Training training_;
  int steps_ = 0;
  std::vector<torch::Tensor> held_;
};

}  // namespace

Case toy_whole_step(WholeFault fault) {
  return {.name = "toy/whole/tiny",
          .make = [fault](const CaseContext&) { return std::make_unique<WholeStep>(fault); },
          .steps = few_steps()};
}

Case toy_eager_twin() {
  return {.name = "toy/whole/eager",
          .make = [](const CaseContext&) { return std::make_unique<EagerTwin>(); },
          .steps = few_steps()};
}

Case toy_mlp(Fault fault) {
  return {.name = "toy/mlp/tiny",
          .make = [fault](const CaseContext&) { return std::make_unique<Mlp>(fault); },
          .params = {{"width", "64"}},
          .steps = few_steps()};
}

Case toy_conv() {
  return {.name = "toy/conv/tiny",
          .make = [](const CaseContext&) { return std::make_unique<Conv>(); },
          .steps = few_steps()};
}

}  // namespace stepgate
