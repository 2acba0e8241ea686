#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include "stepgate/autocast.h"
#include "stepgate/checkpoint.h"

namespace stepgate {
namespace {

using Tensors = std::vector<torch::Tensor>;

/// Two linear layers with dropout between them.
struct Layers {
  torch::Tensor in = torch::randn({16, 8}).requires_grad_(true);
  torch::Tensor out = torch::randn({8, 16}).requires_grad_(true);

  torch::Tensor operator()(const torch::Tensor& x) const {
    return torch::linear(torch::dropout(torch::gelu(torch::linear(x, in)), 0.5, true), out);
  }
};

/// The loss, and the gradients of everything given.
struct Trained {
  double loss = 0;
  Tensors gradients;
};

/// From one state of the generator and without gradients of an earlier run.
Trained train(const Tensors& leaves, const std::function<torch::Tensor()>& forward) {
  for (const torch::Tensor& leaf : leaves) leaf.mutable_grad() = torch::Tensor();
  torch::manual_seed(5);
  const torch::Tensor loss = forward().to(torch::kFloat32).pow(2).mean();
  loss.backward();
  Trained trained{.loss = loss.item<double>()};
  for (const torch::Tensor& leaf : leaves) trained.gradients.push_back(leaf.grad());
  return trained;
}

void expect_equal(const Trained& one, const Trained& other) {
  EXPECT_EQ(one.loss, other.loss);
  ASSERT_EQ(one.gradients.size(), other.gradients.size());
  for (std::size_t i = 0; i < one.gradients.size(); ++i) {
    ASSERT_TRUE(one.gradients[i].defined() && other.gradients[i].defined()) << "leaf " << i;
    EXPECT_TRUE(torch::equal(one.gradients[i], other.gradients[i])) << "leaf " << i;
  }
}

double norm_of(const Tensors& gradients) {
  double sum = 0;
  for (const torch::Tensor& gradient : gradients) sum += gradient.to(torch::kFloat64).pow(2).sum().item<double>();
  return std::sqrt(sum);
}

struct CheckpointedModel {
  Layers first;
  Layers second;
  torch::Tensor x = torch::randn({4, 8}).requires_grad_(true);

  Tensors leaves() const { return {x, first.in, first.out, second.in, second.out}; }
};

CheckpointedModel new_model() {
  torch::manual_seed(1);
  return {};
}

TEST(Checkpoint, GradientsWithDropoutEqualThePlainOnesToTheBit) {
  const CheckpointedModel model = new_model();
  const Trained plain = train(model.leaves(), [&] { return model.second(model.first(model.x)); });
  const Trained checkpointed =
      train(model.leaves(), [&] { return checkpoint(model.second, checkpoint(model.first, model.x)); });
  expect_equal(plain, checkpointed);
}

TEST(Checkpoint, TheGeneratorGoesOnAsIfNothingHadRunTwice) {
  const CheckpointedModel model = new_model();
  train(model.leaves(), [&] { return model.first(model.x); });
  const torch::Tensor plain = torch::rand({3});
  train(model.leaves(), [&] { return checkpoint(model.first, model.x); });
  EXPECT_TRUE(torch::equal(torch::rand({3}), plain));
}

TEST(Checkpoint, UnderAutocastGradientsEqualThePlainOnesToTheBit) {
  const CheckpointedModel model = new_model();
  const auto run = [&](const std::function<torch::Tensor()>& forward) {
    return train(model.leaves(), [&] {
      const Autocast autocast(torch::kCPU, true);
      return forward();
    });
  };
  const Trained plain = run([&] { return model.second(model.first(model.x)); });
  const Trained checkpointed = run([&] { return checkpoint(model.second, checkpoint(model.first, model.x)); });
  expect_equal(plain, checkpointed);
  EXPECT_FALSE(at::autocast::is_autocast_enabled(torch::kCPU));
  const Trained precise = train(model.leaves(), [&] { return model.second(model.first(model.x)); });
  EXPECT_NE(precise.loss, plain.loss) << "autocast must have changed something";
}

TEST(Checkpoint, AWeightIsTrainedByUsesInsideAndOutsideOfIt) {
  const CheckpointedModel model = new_model();
  const auto inner = [&](const torch::Tensor& x) {
    return torch::linear(torch::linear(x, model.first.in), model.first.out);
  };
  const auto run = [&](const std::function<torch::Tensor()>& forward) {
    return train({model.x, model.first.in, model.first.out}, [&] {
      const Autocast autocast(torch::kCPU, true);
      return torch::linear(forward(), model.first.in);
    });
  };
  const Trained plain = run([&] { return inner(model.x); });
  const Trained checkpointed = run([&] { return checkpoint(inner, model.x); });
  EXPECT_EQ(plain.loss, checkpointed.loss);
  // One cast serves both uses in the plain model, so its gradients are summed in bfloat16: 8 bits of precision.
  for (std::size_t i = 0; i < plain.gradients.size(); ++i) {
    EXPECT_TRUE(torch::allclose(plain.gradients[i], checkpointed.gradients[i], 0.05, 0.05)) << "leaf " << i;
  }
}

TEST(Checkpoint, TheyNest) {
  const CheckpointedModel model = new_model();
  const Trained plain = train(model.leaves(), [&] { return model.second(model.first(model.x)); });
  const auto nested = [&](const torch::Tensor& x) { return model.second(checkpoint(model.first, x)); };
  expect_equal(plain, train(model.leaves(), [&] { return checkpoint(nested, model.x); }));
}

TEST(Checkpoint, TakesSeveralInputs) {
  const CheckpointedModel model = new_model();
  const torch::Tensor constant = torch::randn({4, 8});
  const torch::Tensor rows = torch::tensor({0, 2, 1, 3});
  const auto block = [&](const torch::Tensor& a, const torch::Tensor& b, const torch::Tensor& order) {
    return model.first(a * b).index_select(0, order);
  };
  const Tensors leaves = {model.x, model.first.in, model.first.out};
  const Trained plain = train(leaves, [&] { return block(model.x, constant, rows); });
  expect_equal(plain, train(leaves, [&] { return checkpoint(block, model.x, constant, rows); }));
}

TEST(Checkpoint, TheSameTensorTwiceGetsBothGradients) {
  const CheckpointedModel model = new_model();
  const auto product = [](const torch::Tensor& a, const torch::Tensor& b) { return a * b.sigmoid(); };
  const Trained plain = train({model.x}, [&] { return product(model.x, model.x); });
  expect_equal(plain, train({model.x}, [&] { return checkpoint(product, model.x, model.x); }));
}

TEST(Checkpoint, ABlockWhoseInputNeedsNoGradientIsTrained) {
  const CheckpointedModel model = new_model();
  const torch::Tensor data = torch::randn({4, 8});
  const Tensors leaves = {model.first.in, model.first.out};
  const Trained plain = train(leaves, [&] { return model.first(data); });
  expect_equal(plain, train(leaves, [&] { return checkpoint(model.first, data); }));
}

TEST(Checkpoint, ABlockOfFrozenParametersLetsTheRestTrain) {
  const CheckpointedModel model = new_model();
  const torch::Tensor frozen = torch::randn({8, 8});
  const torch::Tensor data = torch::randn({4, 8});
  const auto block = [&](const torch::Tensor& x) { return torch::linear(x, frozen); };
  const Tensors leaves = {model.first.in, model.first.out};
  const Trained plain = train(leaves, [&] { return model.first(block(data)); });
  expect_equal(plain, train(leaves, [&] { return model.first(checkpoint(block, data)); }));
}

TEST(Checkpoint, WithoutGradModeItIsThePlainBlock) {
  const CheckpointedModel model = new_model();
  const torch::NoGradGuard no_grad;
  int calls = 0;
  const torch::Tensor result = checkpoint(
      [&](const torch::Tensor& x) {
        ++calls;
        return x * 2;
      },
      model.x);
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(result.requires_grad());
}

TEST(Checkpoint, AnExceptionInTheBlockPassesAndLeavesNothingBehind) {
  const CheckpointedModel model = new_model();
  const auto failing = [](const torch::Tensor&) -> torch::Tensor { throw std::runtime_error("in the block"); };
  EXPECT_THROW(checkpoint(failing, model.x), std::runtime_error);
  EXPECT_TRUE(torch::GradMode::is_enabled());
}

TEST(Checkpoint, AnExceptionInTheSecondRunRestoresTheGenerator) {
  const CheckpointedModel model = new_model();
  int calls = 0;
  const auto failing_later = [&](const torch::Tensor& x) {
    if (++calls == 2) throw std::runtime_error("in backward");
    return torch::dropout(x, 0.5, true);
  };
  torch::manual_seed(5);
  const torch::Tensor result = checkpoint(failing_later, model.x);
  const torch::Tensor before = at::detail::getDefaultCPUGenerator().get_state();
  EXPECT_THROW(result.sum().backward(), std::runtime_error);
  EXPECT_TRUE(torch::equal(at::detail::getDefaultCPUGenerator().get_state(), before));
  EXPECT_TRUE(torch::GradMode::is_enabled());
}

TEST(Checkpoint, GradientsOfChosenTensorsAreRefused) {
  const CheckpointedModel model = new_model();
  const torch::Tensor loss = checkpoint(model.first, model.x).sum();
  EXPECT_THROW(torch::autograd::grad({loss}, {model.x}), std::exception);
}

TEST(Checkpoint, AnInputChangedInPlaceIsAnError) {
  const CheckpointedModel model = new_model();
  const torch::Tensor input = model.x * 1;
  const torch::Tensor result = checkpoint([](const torch::Tensor& x) { return x * x; }, input);
  {
    const torch::NoGradGuard no_grad;
    input.add_(1);
  }
  EXPECT_THROW(result.sum().backward(), std::exception);
}

/// Deliberately wrong: the second run draws other dropout masks than the forward.
struct WithoutGenerator : torch::autograd::Function<WithoutGenerator> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const Layers* layers,
                               const torch::Tensor& x) {
    context->save_for_backward({x});
    context->saved_data["layers"] = reinterpret_cast<std::int64_t>(layers);
    return (*layers)(x);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto* const layers = reinterpret_cast<const Layers*>(context->saved_data["layers"].toInt());
    const torch::Tensor x = context->get_saved_variables()[0].detach().requires_grad_(true);
    const torch::AutoGradMode with_grad(true);
    torch::autograd::backward({(*layers)(x)}, {gradients[0]});
    return {torch::Tensor(), x.grad()};
  }
};

/// The trap of a checkpoint without the generator's state: no loss of the first step shows it, the gradient norm does.
TEST(Checkpoint, WithoutTheGeneratorTheLossIsEqualAndTheGradientNormIsNot) {
  const CheckpointedModel model = new_model();
  const Tensors leaves = {model.x, model.first.in, model.first.out};
  const Trained plain = train(leaves, [&] { return model.first(model.x); });
  const Trained wrong = train(leaves, [&] { return WithoutGenerator::apply(&model.first, model.x); });
  EXPECT_EQ(plain.loss, wrong.loss);
  // The gate's tolerance for gradient norms is 1e-4; other masks move the norm by percents.
  EXPECT_GT(std::abs(norm_of(wrong.gradients) / norm_of(plain.gradients) - 1), 1e-3);
  expect_equal(plain, train(leaves, [&] { return checkpoint(model.first, model.x); }));
}

}  // namespace
}  // namespace stepgate
