#include "tabular/field_transformer.h"

#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "perftests/data_folder.h"
#include "perftests/sample_fields.h"
#include "support/data_files.h"
#include "tabular/field_transformer_memory.h"

namespace stepgate {
namespace {

struct FieldRun {
  FieldModel model = FieldModel::fixed;
  FieldLoading loading = FieldLoading::tuned;
  std::uint64_t seed = 3;
};

std::unique_ptr<FieldTransformer> new_field_transformer(const DataFolder& folder, const FieldRun& run) {
  torch::set_num_threads(1);
  torch::manual_seed(run.seed);  // as the harness does before it calls a factory
  CaseContext context;
  context.seed = run.seed;
  context.synchronous_loader = true;
  FieldTransformerSize size = tiny_field_transformer();
  size.model = run.model;
  size.loading = run.loading;
  return std::make_unique<FieldTransformer>(context, size, painted_fields(folder));
}

torch::Tensor train_one_field_step(Workload& workload) {
  const Batch batch = workload.next_batch();
  auto loss = workload.forward(batch);
  workload.backward(loss);
  workload.optimizer_step();
  workload.log_step(0, loss);
  return loss.detach();
}

std::vector<double> field_losses(const FieldRun& run, int steps) {
  const DataFolder folder;
  const auto workload = new_field_transformer(folder, run);
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) losses.push_back(train_one_field_step(*workload).item<double>());
  return losses;
}

TEST(FieldTransformer, AllStagesHaveTheSameLosses) {
  const auto good = field_losses({}, 10);
  for (const FieldModel model : {FieldModel::naive, FieldModel::fixed}) {
    for (const FieldLoading loading : {FieldLoading::naive, FieldLoading::tuned}) {
      const auto losses = field_losses({.model = model, .loading = loading}, 10);
      for (std::size_t step = 0; step < good.size(); ++step) {
        EXPECT_NEAR(losses[step] / good[step], 1, 1e-5) << "step " << step;
      }
    }
  }
}

TEST(FieldTransformer, LearnsAndRepeats) {
  const auto losses = field_losses({}, 20);
  EXPECT_NEAR(losses.front(), std::log(10.0), 0.5);
  EXPECT_LT(losses.back(), 0.8 * losses.front());
  EXPECT_EQ(losses, field_losses({}, 20));
  EXPECT_NE(losses, field_losses({.seed = 4}, 20));
}

/// Calls of each operator in one step after the first.
std::map<std::string, int> field_operators(FieldModel model) {
  static std::map<std::string, int> calls;  // one thread: backward on a CPU runs on the calling one
  calls.clear();
  const DataFolder folder;
  const auto workload = new_field_transformer(folder, {.model = model});
  train_one_field_step(*workload);
  const auto handle = at::addGlobalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
        ++calls[function.name()];
        return nullptr;
      }).scopes({at::RecordScope::FUNCTION}));
  train_one_field_step(*workload);
  at::removeCallback(handle);
  return calls;
}

TEST(FieldTransformer, TheNaiveModelWritesItsProductsOut) {
  auto naive = field_operators(FieldModel::naive);
  auto fixed = field_operators(FieldModel::fixed);
  EXPECT_EQ(naive["aten::repeat"], 4) << "two factors of two products";
  EXPECT_EQ(naive["aten::_softmax"], 1);
  EXPECT_EQ(fixed["aten::repeat"], 0);
  EXPECT_EQ(fixed["aten::_softmax"], 0);
  EXPECT_EQ(fixed["aten::_scaled_dot_product_flash_attention_for_cpu"], 1);
  EXPECT_EQ(naive["aten::_local_scalar_dense"] + fixed["aten::_local_scalar_dense"], 0)
      << "no step makes the host wait";
  int total_naive = 0;
  int total_fixed = 0;
  for (const auto& [name, calls] : naive) total_naive += calls;
  for (const auto& [name, calls] : fixed) total_fixed += calls;
  EXPECT_EQ(total_naive - total_fixed, 189) << "operators of a step, with those that others call";
}

TEST(FieldRows, SearchedAndDecodedRowsAreEqual) {
  const DataFolder folder;
  const FieldTable table = painted_fields(folder);
  const DecodedRows decoded(*table.records);
  const SearchedRows searched(table.packed, table.records->count());
  ASSERT_EQ(decoded.count(), 200);
  EXPECT_EQ(searched.count(), 200);
  for (std::int64_t index = 0; index < decoded.count(); ++index) EXPECT_EQ(searched.read(index), decoded.read(index));
  EXPECT_EQ(decoded.read(13).label, 3);
}

TEST(FieldRows, AFileThatLacksTheRowIsNamed) {
  const DataFolder folder;
  const FieldTable table = painted_fields(folder);
  for (const SearchedRows& rows : {SearchedRows(table.packed, 201), SearchedRows(folder.path() / "none.gz", 201)}) {
    try {
      rows.read(200);
      FAIL() << "a row that is not there was read";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("has no row 200"));
    }
  }
}

TEST(FieldTransformer, WorkersGiveTheBatchesOfTheCallingThread) {
  const DataFolder folder;
  const auto rows = std::make_shared<const DecodedRows>(*painted_fields(folder).records);
  FieldBatches alone(rows, {.batch_size = 32}, {.repeats = 2, .seed = 5});
  FieldBatches beside(rows, {.batch_size = 32, .workers = 2, .prefetch_batches = 3}, {.repeats = 2, .seed = 5});
  for (int step = 0; step < 14; ++step) {  // an epoch has twelve
    const Batch one = alone.next();
    const Batch other = beside.next();
    EXPECT_EQ(one.samples, 32);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(torch::equal(one.tensors[i], other.tensors[i])) << "step " << step;
  }
  EXPECT_THROW(FieldBatches(rows, {.batch_size = 201}, {}), std::invalid_argument);
}

TEST(FieldTransformer, FactoriesNeedTheTrainingData) {
  const DataFolder empty;
  CaseContext context;
  context.data_dir = empty.path();
  EXPECT_THROW(make_tiny_field_transformer(context), DataError);
  EXPECT_THROW(make_full_field_transformer(context), DataError);
}

TEST(FieldTransformerSize, ParametersLeadBackToTheSizeTheyCameFrom) {
  FieldTransformerSize size = full_field_transformer();
  size.model = FieldModel::naive;
  const auto params = params_of(size);
  EXPECT_EQ(params_of(with_params(tiny_field_transformer(), params)), params);
  EXPECT_EQ(params.at("model"), "naive");
  EXPECT_EQ(params.at("loader"), "tuned");
  EXPECT_EQ(params.size(), 9U);
}

TEST(FieldTransformerSize, RefusesWhatItDoesNotKnow) {
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"model", "slow"}, {"loader", "fixed"}, {"width", "33"}, {"heads", "0"}, {"depth", "2"}}) {
    EXPECT_THROW(with_params(tiny_field_transformer(), {{name, value}}), std::invalid_argument) << name;
  }
}

TEST(FieldTransformerMemory, ParametersAreThoseOfTheModel) {
  for (const FieldTransformerSize& size : {tiny_field_transformer(), full_field_transformer()}) {
    std::int64_t numbers = 0;
    for (const torch::Tensor& parameter : FieldNetwork(size)->parameters()) numbers += parameter.numel();
    EXPECT_EQ(parameters_of(size), numbers);
  }
}

}  // namespace
}  // namespace stepgate
