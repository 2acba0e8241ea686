#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <cmath>

#include "measure/device/cpu_copier.h"
#include "measure/passes/numerics_pass.h"
#include "measure/step/torch_step.h"

namespace stepgate {
namespace {

/// loss = mean over two weights of w * 1.5, times `factor`; weights 3 and 4, gradient (0.75, 0.75) * factor each step.
class Known final : public Workload {
 public:
  float factor = 1;
  bool was_deterministic = false;
  torch::Tensor weight = torch::tensor({3.0F, 4.0F}).requires_grad_(true);

  Batch next_batch() override { return {.tensors = {torch::ones({1})}, .samples = 1}; }
  torch::Tensor forward(const Batch&) override {
    was_deterministic = at::globalContext().deterministicAlgorithms();
    return (weight * 1.5).mean() * factor;
  }
  void optimizer_step() override { weight.mutable_grad().reset(); }
  std::vector<torch::Tensor> parameters() const override { return {weight}; }
};

NumericTrace trace_of(Known& workload, std::int64_t steps) {
  const auto copier = make_cpu_copier();
  TorchStep step(workload, *copier);
  return run_numerics(step, steps);
}

TEST(Numerics, TracesLossAndGradientNorm) {
  Known workload;
  const NumericTrace trace = trace_of(workload, 3);
  EXPECT_EQ(trace.loss, (std::vector<double>{5.25, 5.25, 5.25}));
  ASSERT_EQ(trace.grad_norm.size(), 3U);
  EXPECT_DOUBLE_EQ(trace.grad_norm[0], std::sqrt(2 * 0.75 * 0.75));
}

TEST(Numerics, IsDeterministicInsideAndRestoresAfterwards) {
  Known workload;
  trace_of(workload, 1);
  EXPECT_TRUE(workload.was_deterministic);
  EXPECT_FALSE(at::globalContext().deterministicAlgorithms());
  EXPECT_TRUE(at::globalContext().deterministicFillUninitializedMemory());
}

TEST(Numerics, KeepsNonFiniteLosses) {
  Known workload;
  workload.factor = std::nanf("");
  const NumericTrace trace = trace_of(workload, 2);
  EXPECT_TRUE(std::isnan(trace.loss[1]));
  EXPECT_TRUE(std::isnan(trace.grad_norm[1]));
}

TEST(Numerics, DigestsSeeOneBit) {
  Known one;
  Known other;
  other.weight.data()[0] = std::nextafter(3.0F, 4.0F);
  EXPECT_NE(trace_of(one, 1).parameter_digest, trace_of(other, 1).parameter_digest);
  Known same;
  EXPECT_EQ(trace_of(one, 1).parameter_digest, trace_of(same, 1).parameter_digest);
}

}  // namespace
}  // namespace stepgate
