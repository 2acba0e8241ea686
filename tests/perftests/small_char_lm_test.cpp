#include "language/small_char_lm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

// loss_rtol of perftests/language/policy.json. Compiled code sums in another order.
constexpr double compiled_loss_rtol = 1e-4;

CaseContext context_with_seed() {
  torch::set_num_threads(1);
  torch::manual_seed(3);  // as the harness does before it calls a factory
  CaseContext context;
  context.seed = 3;
  return context;
}

std::vector<double> eager_losses(int steps, const BatchLengthRhythm& lengths = one_length) {
  EagerCharLm workload(context_with_seed(), synthetic_sources(), lengths);
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    const auto loss = workload.forward(workload.next_batch());
    losses.push_back(loss.item<double>());
    workload.backward(loss);
    workload.optimizer_step();
  }
  return losses;
}

/// Of the package in the cache, which ci/compile_case makes.
class CompiledCharLmTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto missing = missing_package(char_lm_package)) GTEST_SKIP() << missing->what << ": " << missing->remedy;
    context_with_seed();
    workload_ = std::make_unique<CompiledCharLm>(synthetic_sources(), 3, package_folder(char_lm_package));
  }

  std::unique_ptr<CompiledCharLm> workload_;
};

TEST(EagerCharLm, Learns) {
  const std::vector<double> losses = eager_losses(30);
  EXPECT_NEAR(losses.front(), std::log(vocabulary_size), 0.5);
  EXPECT_LT(losses.back(), 0.7 * losses.front());
}

TEST_F(CompiledCharLmTest, TrainsAsItsEagerTwin) {
  const std::vector<double> eager = eager_losses(30);
  for (std::size_t i = 0; i < eager.size(); ++i) {
    const double loss = workload_->step(workload_->next_batch()).item<double>();
    EXPECT_NEAR(loss, eager[i], compiled_loss_rtol * eager[i]) << "step " << i;
  }
}

TEST_F(CompiledCharLmTest, RefusesABatchOfAnotherShape) {
  Batch half = workload_->next_batch();
  for (torch::Tensor& tensor : half.tensors) tensor = tensor.narrow(0, 0, SmallCharLmSize::rows / 2);
  try {
    workload_->step(half);
    FAIL() << "a package reads past the end of such a batch";
  } catch (const std::invalid_argument& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("compiled for int64 (8, 64), contiguous, and was given int64 (4, 64)"));
  }
}

TEST_F(CompiledCharLmTest, NamesItsPackageInTheFingerprint) {
  EXPECT_THAT(workload_->data_digest(), testing::StartsWith("synthetic+"));
  EXPECT_GT(workload_->data_digest().size(), 64U);
}

class JointCharLmTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto missing = missing_package(char_lm_gradients_package))
      GTEST_SKIP() << missing->what << ": " << missing->remedy;
    context_with_seed();
    workload_ = std::make_unique<JointCharLm>(synthetic_sources(), 3, package_folder(char_lm_gradients_package));
  }

  std::unique_ptr<JointCharLm> workload_;
};

std::string refusal_of(JointCharLm& workload, const Batch& batch) {
  try {
    workload.step(batch);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST_F(JointCharLmTest, TrainsAsItsEagerTwinWithBothLengths) {
  const std::vector<double> eager = eager_losses(30, two_lengths);
  for (std::size_t i = 0; i < eager.size(); ++i) {
    const Batch batch = workload_->next_batch();
    EXPECT_EQ(batch.tensors[0].size(1), two_lengths[i % 2]);
    EXPECT_NEAR(workload_->step(batch).item<double>(), eager[i], compiled_loss_rtol * eager[i]) << "step " << i;
  }
}

TEST_F(JointCharLmTest, LeavesItsGradients) {
  workload_->step(workload_->next_batch());
  for (const torch::Tensor& parameter : workload_->parameters()) {
    EXPECT_EQ(parameter.grad().sizes(), parameter.sizes());
    EXPECT_GT(parameter.grad().abs().sum().item<double>(), 0);
  }
}

TEST_F(JointCharLmTest, RefusesABatchThatItWasNotCompiledFor) {
  const Batch batch = workload_->next_batch();
  Batch floats = batch;
  floats.tensors[0] = floats.tensors[0].to(torch::kFloat);
  EXPECT_THAT(refusal_of(*workload_, floats), HasSubstr("was given float32 (8, 64)"));
  Batch long_rows = batch;
  for (torch::Tensor& tensor : long_rows.tensors) tensor = tensor.repeat({1, 5});
  EXPECT_THAT(refusal_of(*workload_, long_rows), HasSubstr("length=2..256), contiguous, and was given int64 (8, 320)"));
  Batch uneven = batch;
  uneven.tensors[1] = uneven.tensors[1].narrow(1, 0, 37).contiguous();
  EXPECT_THAT(refusal_of(*workload_, uneven), HasSubstr("length is 37, and in an earlier input it is 64"));
}

}  // namespace
}  // namespace stepgate
