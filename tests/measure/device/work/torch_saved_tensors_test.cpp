#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>

#include "measure/device/cpu/counting_allocator.h"
#include "measure/device/device_side.h"
#include "measure/device/work/saved_tensors.h"
#include "measure/passes/exact/exact_passes.h"
#include "measure/step/torch_step.h"
#include "measure/torch_toys.h"
#include "stepgate/checkpoint.h"

namespace stepgate {
namespace {

/// What `forward` saves; the name of the operator is that of the test.
template <typename Forward>
SavedTotals saved_by(Forward forward, const std::vector<at::Tensor>& parameters = {}) {
  SavedTensors saved([](std::int64_t) { return "aten::some"; });
  saved.start(parameters);
  const torch::Tensor result = forward();
  const SavedTotals totals = saved.totals();
  if (result.requires_grad()) result.sum().backward();
  saved.stop();
  return totals;
}

torch::Tensor trained(std::vector<std::int64_t> sizes) { return torch::ones(sizes).requires_grad_(true); }

TEST(SavedTensors, CountsTheActivationOfAnOperator) {
  const torch::Tensor x = trained({4, 8});
  const SavedTotals totals = saved_by([&] { return (x * 2).sigmoid(); });
  EXPECT_EQ(totals.bytes, 4 * 8 * 4) << "the result of sigmoid";
  EXPECT_EQ(totals.by_operator, (std::map<std::string, std::int64_t>{{"aten::some", 4 * 8 * 4}}));
}

TEST(SavedTensors, CountsAStorageOnceHoweverManyViewsAreSaved) {
  const torch::Tensor x = trained({4, 8});
  const SavedTotals totals = saved_by([&] {
    const torch::Tensor y = (x * 2).sigmoid();
    return y.t() * y.view({8, 4});
  });
  EXPECT_EQ(totals.bytes, 4 * 8 * 4);
}

TEST(SavedTensors, ParametersAndTheirViewsDoNotCount) {
  const torch::Tensor x = torch::ones({4, 8});
  const torch::Tensor weight = trained({8, 3});
  const torch::Tensor buffer = torch::ones({4, 3});
  const auto forward = [&] { return torch::mm(x, weight).mm(weight.t()).narrow(1, 0, 3) * buffer; };
  // x, the result of the first product, and the buffer, which is no leaf that is trained.
  EXPECT_EQ(saved_by(forward).bytes, (4 * 8 + 4 * 3 + 4 * 3) * 4);
  EXPECT_EQ(saved_by(forward, {buffer}).bytes, (4 * 8 + 4 * 3) * 4);
}

TEST(SavedTensors, NothingIsSavedWithoutGradMode) {
  const torch::Tensor x = trained({4, 8});
  const SavedTotals totals = saved_by([&] {
    const torch::NoGradGuard no_grad;
    return (x * 2).sigmoid();
  });
  EXPECT_EQ(totals.bytes, 0);
}

TEST(SavedTensors, ACheckpointSavesItsInputAndNothingInBackward) {
  const torch::Tensor x = trained({4, 8});
  SavedTensors saved([](std::int64_t) { return ""; });
  saved.start({});
  const torch::Tensor hidden = x * 2;
  checkpoint([](const torch::Tensor& in) { return in.sigmoid().exp().tanh(); }, hidden).sum().backward();
  const SavedTotals totals = saved.totals();
  saved.stop();
  EXPECT_EQ(totals.by_operator, (std::map<std::string, std::int64_t>{{saved_by_no_operator, 4 * 8 * 4}}));
}

TEST(SavedTensors, AGraphThatOutlivesTheCountIsReleasedLater) {
  torch::Tensor result;
  {
    SavedTensors saved([](std::int64_t) { return ""; });
    saved.start({});
    result = trained({4, 8}).sigmoid();
  }
  result.sum().backward();
  EXPECT_THROW(result.sum().backward(), std::exception) << "the first backward released what was saved";
}

TEST(SavedTensors, OnlyOneCounts) {
  SavedTensors one([](std::int64_t) { return ""; });
  SavedTensors other([](std::int64_t) { return ""; });
  one.start({});
  EXPECT_THROW(other.start({}), std::exception);
}

WorkCounts counts_with_ledger(const Case& test_case, bool with_ledger) {
  const auto device = open_device("cpu");
  CountingScope counting;
  const auto backend = device->make_backend(&counting.allocator());
  torch::manual_seed(1);
  const auto workload = test_case.make({});
  const auto copier = device->make_copier();
  TorchStep step(*workload, *copier);
  const std::unique_ptr<WorkCounter> counter =
      with_ledger ? make_observed_counter(*device, *backend, [&] { return step.parameters(); })
                  : device->make_counter();
  return run_counts(step, *backend, *counter, test_case.steps);
}

TEST(SavedTensors, TheOtherCountsOfTheSameStepsStayWhatTheyAre) {
  for (const Case& test_case : {toy_mlp(), toy_conv()}) {
    WorkCounts with = counts_with_ledger(test_case, true);
    const WorkCounts without = counts_with_ledger(test_case, false);
    for (const auto& [metric, values] : without.per_step) EXPECT_EQ(with.per_step.at(metric), values) << metric;
    EXPECT_EQ(with.operators, without.operators);
  }
}

/// Linear 8-16 on 32 rows saves its input (h2d's batch), ReLU its result, and the loss its log-probabilities, targets
/// and the weight of the targets: the sum over operators is the metric, and all of it is forward's.
TEST(SavedTensors, ABoundarysOperatorsAddUpToTheMetric) {
  const WorkCounts counts = counts_with_ledger(toy_mlp(), true);
  const auto& per_step = counts.per_step.at(saved_bytes_metric);
  std::int64_t total = 0;
  for (const std::int64_t bytes : per_step) total += bytes;
  ASSERT_GT(total, 0);
  EXPECT_EQ(counts.by_boundary.at(saved_bytes_metric).at("forward"), total);
  std::int64_t of_operators = 0;
  for (const auto& [name, bytes] : counts.device_calls.at(saved_bytes_metric).at("forward")) {
    EXPECT_TRUE(name.starts_with("aten::")) << name;
    of_operators += bytes;
  }
  EXPECT_EQ(of_operators, total);
  std::int64_t of_sites = 0;
  for (const OperatorSite& site : counts.observed->sites) of_sites += site.saved_bytes;
  EXPECT_EQ(of_sites, total);
}

}  // namespace
}  // namespace stepgate
