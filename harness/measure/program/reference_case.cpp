#include "measure/program/reference_case.h"

namespace stepgate {
namespace {

// The sizes are part of every baseline with a reference case: a change needs a new version below.
constexpr std::int64_t matrix_side = 384;
constexpr std::int64_t copied_floats = 1 << 20;  // 4 MiB: beyond the L2 of the CPUs in use, so memory counts too
constexpr double learning_rate = 1e-6;           // keeps every number finite and the work the same, step for step

class MatmulCopy final : public Workload {
 public:
  explicit MatmulCopy(const CaseContext& context)
      : left_(torch::randn({matrix_side, matrix_side})),
        payload_(torch::randn({copied_floats})),
        weight_(torch::randn({matrix_side, matrix_side}, context.device).mul_(0.05).requires_grad_(true)),
        copied_(torch::empty({copied_floats}, context.device)) {
    if (context.device.is_cuda()) {
      left_ = left_.pin_memory();
      payload_ = payload_.pin_memory();
    }
  }

  Batch next_batch() override { return {.tensors = {left_, payload_}, .samples = 1}; }

  torch::Tensor forward(const Batch& batch) override {
    copied_.copy_(batch.tensors[1]);
    return batch.tensors[0].mm(weight_).square().mean();
  }

  void optimizer_step() override {
    const torch::NoGradGuard no_grad;
    weight_.add_(weight_.grad(), -learning_rate);
    weight_.mutable_grad().reset();
  }

  std::vector<torch::Tensor> parameters() const override { return {weight_}; }

 private:
  torch::Tensor left_;
  torch::Tensor payload_;
  torch::Tensor weight_;
  torch::Tensor copied_;
};

}  // namespace

Case reference_case(const std::string& device) {
  Case reference;
  reference.name = reference_case_name;
  reference.make = [](const CaseContext& context) { return std::make_unique<MatmulCopy>(context); };
  reference.device = device;
  reference.version = "1";
  return reference;
}

}  // namespace stepgate
