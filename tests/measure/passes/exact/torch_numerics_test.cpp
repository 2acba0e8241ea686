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
  return run_numerics(step, {.steps = steps});
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
  const NumericTrace trace =
      run_numerics(step, {.steps = 3, .at_step_end = [&](std::int64_t number) { ended.push_back(number); }});
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

/// put_ without accumulation has no deterministic implementation on any device.
class PutsValues final : public Workload {
 public:
  Batch next_batch() override { return {.tensors = {torch::ones({1})}, .samples = 1}; }
  torch::Tensor forward(const Batch&) override {
    was_strict = !at::globalContext().deterministicAlgorithmsWarnOnly();
    return (weight_ + torch::zeros({2}).put_(torch::tensor({1}), torch::tensor({0.5F}))).mean();
  }
  void optimizer_step() override { weight_.mutable_grad().reset(); }
  std::vector<torch::Tensor> parameters() const override { return {weight_}; }
  bool was_strict = false;

 private:
  torch::Tensor weight_ = torch::tensor({3.0F, 4.0F}).requires_grad_(true);
};

/// With warn_only LibTorch keeps the non-deterministic backward of attention, so strict comes first.
TEST(Numerics, StrictRefusesWhatHasNoDeterministicImplementation) {
  PutsValues workload;
  const auto copier = make_cpu_copier();
  TorchStep step(workload, *copier);
  try {
    run_numerics(step, {.steps = 2});
    FAIL() << "nothing was thrown";
  } catch (const c10::Error& refused) {
    EXPECT_TRUE(refuses_determinism(refused)) << refused.what();
  }
  EXPECT_TRUE(workload.was_strict);
  EXPECT_FALSE(at::globalContext().deterministicAlgorithms());
}

TEST(Numerics, RecordsTheOperatorsThatWarn) {
  PutsValues workload;
  const auto copier = make_cpu_copier();
  TorchStep step(workload, *copier);
  const NumericTrace trace = run_numerics(step, {.steps = 2, .determinism = Determinism::where_it_exists});
  EXPECT_FALSE(workload.was_strict);
  EXPECT_EQ(trace.nondeterministic_operators, (std::vector<std::string>{"put_"}));
  EXPECT_EQ(trace.loss, (std::vector<double>{3.75, 3.75}));
  Known other;
  EXPECT_TRUE(trace_of(other, 1).nondeterministic_operators.empty());
}

TEST(Numerics, ReadsTheNameOutOfAWarning) {
  EXPECT_EQ(nondeterministic_operator("scatter_add_cuda_kernel does not have a deterministic implementation, but you "
                                      "set 'torch.use_deterministic_algorithms(True, warn_only=True)'."),
            "scatter_add_cuda_kernel");
  EXPECT_EQ(nondeterministic_operator("Flash Attention defaults to a non-deterministic algorithm. To explicitly enable "
                                      "determinism call torch.use_deterministic_algorithms(True, warn_only=False)."),
            "Flash Attention");
  EXPECT_EQ(nondeterministic_operator("Deterministic behavior was enabled, but this operation is not deterministic "
                                      "because it uses CuBLAS and you have CUDA >= 10.2."),
            "cuBLAS");
  EXPECT_EQ(nondeterministic_operator("lr_scheduler.step() came before optimizer.step()"), "");
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
