#include "measure/program/reference/reference_case.h"

#include "core/device.h"
#include "measure/program/reference/product_precision.h"
#include "measure/program/reference/reference_work.h"

namespace stepgate {
namespace {

constexpr double learning_rate = 1e-6;  // keeps every number finite and the work the same, step for step

// The sizes on a CPU are part of every baseline with a reference case: a change needs a new version below.
constexpr std::int64_t cpu_matrix_side = 384;
constexpr std::int64_t cpu_copied_floats = 1 << 20;  // 4 MiB: beyond the L2 of the CPUs in use, so memory counts too

/// The step on both devices: one product forward, one backward, and the update.
class MatrixProduct : public Workload {
 public:
  /// Both matrices are square and of equal size, `weight` on the device of the case.
  MatrixProduct(torch::Tensor left, const torch::Tensor& weight)
      : left_(std::move(left)), weight_(weight.mul_(0.05).requires_grad_(true)) {}

  torch::Tensor forward(const Batch& batch) override { return batch.tensors[0].mm(weight_).square().mean(); }

  void optimizer_step() override {
    const torch::NoGradGuard no_grad;
    weight_.add_(weight_.grad(), -learning_rate);
    weight_.mutable_grad().reset();
  }

  std::vector<torch::Tensor> parameters() const override { return {weight_}; }

 protected:
  torch::Tensor left_;
  torch::Tensor weight_;
};

/// Random numbers in the order of version 1 of the case.
struct CpuNumbers {
  torch::Tensor left;
  torch::Tensor payload;
  torch::Tensor weight;
};

class CpuMatmulCopy final : public MatrixProduct {
 public:
  explicit CpuMatmulCopy(const CpuNumbers& numbers)
      : MatrixProduct(numbers.left, numbers.weight),
        payload_(numbers.payload),
        copied_(torch::empty({cpu_copied_floats}, numbers.weight.device())) {}

  Batch next_batch() override { return {.tensors = {left_, payload_}, .samples = 1}; }

  torch::Tensor forward(const Batch& batch) override {
    copied_.copy_(batch.tensors[1]);
    return MatrixProduct::forward(batch);
  }

 private:
  torch::Tensor payload_;
  torch::Tensor copied_;
};

/// The batch is one page-locked matrix, so that the link to the GPU counts too.
class GpuMatmulCopy final : public MatrixProduct {
 public:
  GpuMatmulCopy(const torch::Device& device, const ReferenceWork& work)
      : MatrixProduct(torch::randn({work.matrix_side, work.matrix_side}),
                      torch::randn({work.matrix_side, work.matrix_side}, device)),
        work_(work),
        payload_(torch::zeros({work.copied_bytes}, torch::dtype(torch::kUInt8).device(device))),
        copied_(torch::empty_like(payload_)),
        product_(torch::empty_like(weight_, torch::TensorOptions().requires_grad(false))) {
    if (device.is_cuda()) left_ = left_.pin_memory();
  }

  Batch next_batch() override { return {.tensors = {left_}, .samples = 1}; }

  torch::Tensor forward(const Batch& batch) override {
    run_further_work(batch.tensors[0]);
    return MatrixProduct::forward(batch);
  }

 private:
  /// All but the two products that autograd sees.
  void run_further_work(const torch::Tensor& left) {
    const torch::NoGradGuard no_grad;
    for (std::int64_t i = 0; i < work_.copies; ++i) copied_.copy_(payload_);
    for (std::int64_t i = 2; i < work_.products; ++i) torch::mm_out(product_, left, weight_);
  }

  ProductsInFloat32 in_float32_;
  ReferenceWork work_;
  torch::Tensor payload_;
  torch::Tensor copied_;
  torch::Tensor product_;
};

std::unique_ptr<Workload> make_on_cpu(const CaseContext& context) {
  const std::vector<std::int64_t> square = {cpu_matrix_side, cpu_matrix_side};
  return std::make_unique<CpuMatmulCopy>(CpuNumbers{.left = torch::randn(square),
                                                    .payload = torch::randn({cpu_copied_floats}),
                                                    .weight = torch::randn(square, context.device)});
}

std::unique_ptr<Workload> make_on_gpu(const CaseContext& context) {
  return std::make_unique<GpuMatmulCopy>(context.device, reference_work_from(context.params));
}

}  // namespace

Case reference_case(const std::string& device) {
  const bool on_gpu = device_named(device) == Device::cuda;
  Case reference;
  reference.name = reference_case_name;
  reference.make = on_gpu ? make_on_gpu : make_on_cpu;
  reference.device = device;
  reference.version = on_gpu ? "2" : "1";
  return reference;
}

Case with_work_for(const std::optional<GpuProperties>& gpu, Case test_case) {
  if (!gpu || test_case.name != reference_case_name) return test_case;
  Case sized = reference_case("cuda");
  sized.steps = test_case.steps;
  sized.params = std::move(test_case.params);
  std::map<std::string, std::string> amounts = params_of(reference_work_on(*gpu));
  sized.params.merge(amounts);
  return sized;
}

}  // namespace stepgate
