#include <gtest/gtest.h>
#include <torch/torch.h>

#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"
#include "stepgate/autocast.h"

namespace stepgate {
namespace {

torch::ScalarType type_of_a_product() { return torch::linear(torch::ones({2, 3}), torch::ones({4, 3})).scalar_type(); }

TEST(Autocast, ProductsWithinItsScopeAreBfloat16) {
  {
    const Autocast autocast(torch::kCPU, true);
    EXPECT_EQ(type_of_a_product(), torch::kBFloat16);
    const auto logits = torch::linear(torch::ones({2, 3}), torch::ones({4, 3}));
    EXPECT_EQ(torch::cross_entropy_loss(logits, torch::tensor({1, 2})).scalar_type(), torch::kFloat32);
  }
  EXPECT_EQ(type_of_a_product(), torch::kFloat32);
}

TEST(Autocast, OffItChangesNothing) {
  const Autocast autocast(torch::kCPU, false);
  EXPECT_EQ(type_of_a_product(), torch::kFloat32);
}

TEST(Autocast, AnInnerScopeLeavesTheOuterOneOn) {
  const Autocast outer(torch::kCPU, true);
  { const Autocast inner(torch::kCPU, true); }
  EXPECT_EQ(type_of_a_product(), torch::kBFloat16);
}

TEST(Autocast, AnExceptionEndsIt) {
  try {
    const Autocast autocast(torch::kCPU, true);
    throw std::runtime_error("in forward");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(type_of_a_product(), torch::kFloat32);
}

/// A cached cast would keep training the weights of the first step.
TEST(Autocast, TheNextStepSeesTheUpdatedWeights) {
  const auto weight = torch::ones({4, 3}).requires_grad_(true);
  const auto sum = [&] {
    const Autocast autocast(torch::kCPU, true);
    return torch::linear(torch::ones({2, 3}), weight).sum().item<float>();
  };
  EXPECT_EQ(sum(), 24);
  {
    const torch::NoGradGuard no_grad;
    weight.mul_(2);
  }
  EXPECT_EQ(sum(), 48);
}

TEST(Autocast, ADtypeThatIsNoneIsRefused) {
  EXPECT_FALSE(asks_for_autocast("float32"));
  EXPECT_TRUE(asks_for_autocast("bfloat16"));
  EXPECT_THROW(asks_for_autocast("bf16"), std::invalid_argument);
}

TEST(Autocast, TheWorkloadSeesTheDtypeOfItsCase) {
  Case test_case = toy_mlp();
  test_case.dtype = "bfloat16";
  std::string seen;
  test_case.make = [&seen, make = test_case.make](const CaseContext& context) {
    seen = context.dtype;
    return make(context);
  };
  const std::unique_ptr<DeviceSide> device = open_device("cpu");
  RunSettings settings;
  settings.steps = {.exact_warmup = 1};
  settings.steps.numerics = 1;
  CaseRun(test_case, *device, settings).run(Pass::numerics);
  EXPECT_EQ(seen, "bfloat16");
}

}  // namespace
}  // namespace stepgate
