#include <stepgate/inference_workload.h>
#include <stepgate/perftest.h>

struct Classifier final : stepgate::InferenceWorkload {
  torch::nn::Sequential net{torch::nn::Linear(32, 64), torch::nn::ReLU(), torch::nn::Dropout(0.1),
                            torch::nn::Linear(64, 10)};
  torch::Tensor request = torch::randn({8, 32}), labels;

  Classifier() { net->eval(); }
  stepgate::Batch next_batch() override { return {.tensors = {request}, .samples = 8}; }
  torch::Tensor infer(const stepgate::Batch& batch) override {
    const torch::NoGradGuard no_grad;
    return net->forward(batch.tensors[0]);
  }
  void post(const torch::Tensor& answer) override { labels = answer.argmax(1).cpu(); }
  std::vector<stepgate::TrainingModule> training_modules() const override { return stepgate::training_modules(*net); }
  std::vector<torch::Tensor> parameters() const override { return net->parameters(); }
};

int main(int argc, char** argv) {
  const auto make = [](const stepgate::CaseContext&) { return std::make_unique<Classifier>(); };
  return stepgate::run_perftest(argc, argv,
                                {{.name = "mine/classifier/tiny", .make = make, .steps = {.requests = 1000}}});
}
