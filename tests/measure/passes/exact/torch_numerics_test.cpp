#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "measure/device/cpu/cpu_copier.h"
#include "measure/passes/exact/numerics_pass.h"
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
  std::map<std::string, torch::Tensor> further_losses() const override { return further; }
  std::map<std::string, torch::Tensor> further = {};
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

TEST(Numerics, TracesFurtherLosses) {
  Known workload;
  workload.further = {{"critic", torch::tensor(0.5F)}, {"penalty", torch::tensor({2.0F})}};
  const NumericTrace trace = trace_of(workload, 2);
  EXPECT_EQ(trace.further_losses.at("critic"), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(trace.further_losses.at("penalty"), (std::vector<double>{2, 2}));
  Known other;
  EXPECT_TRUE(trace_of(other, 2).further_losses.empty());
  EXPECT_NE(trace_of(other, 2).loss_digest, trace.loss_digest);
  workload.further = {{"Critic", torch::tensor(0.5F)}};
  EXPECT_THROW(trace_of(workload, 1), Error);
  workload.further = {{"critic", torch::zeros({2})}};
  EXPECT_THROW(trace_of(workload, 1), Error);
}

TEST(Numerics, TellsTheEndOfEachStepAndComputesTheSame) {
  Known workload;
  const auto copier = make_cpu_copier();
  TorchStep step(workload, *copier);
  std::vector<std::int64_t> ended;
  const NumericTrace trace = run_numerics(step, 3, [&](std::int64_t number) { ended.push_back(number); });
  EXPECT_EQ(ended, (std::vector<std::int64_t>{0, 1, 2}));
  Known other;
  EXPECT_EQ(trace.loss_digest, trace_of(other, 3).loss_digest);
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
