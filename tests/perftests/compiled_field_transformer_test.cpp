#include "tabular/compiled_field_transformer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perftests/sample_fields.h"
#include "tabular/field_transformer.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

// loss_rtol of perftests/tabular/policy.json. Compiled code sums in another order.
constexpr double compiled_field_loss_rtol = 1e-4;

CaseContext field_context() {
  torch::set_num_threads(1);
  torch::manual_seed(3);  // as the harness does before it calls a factory
  CaseContext context;
  context.seed = 3;
  return context;
}

std::unique_ptr<CompiledFieldTransformer> compiled_fields(const DataFolder& folder, const FieldTransformerSize& size) {
  return std::make_unique<CompiledFieldTransformer>(field_context(), size, painted_fields(folder));
}

std::string refusal_of_size(const FieldTransformerSize& size) {
  const DataFolder folder;
  try {
    const auto workload = compiled_fields(folder, size);
    workload->step(workload->next_batch());
  } catch (const std::exception& refused) {
    return refused.what();
  }
  return "";
}

class CompiledFields : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto missing = missing_package(field_transformer_package))
      GTEST_SKIP() << missing->what << ": " << missing->remedy;
  }
};

TEST_F(CompiledFields, TrainAsTheEagerStep) {
  const DataFolder folder;
  FieldTransformer eager(field_context(), tiny_field_transformer(), painted_fields(folder));
  const auto compiled = compiled_fields(folder, tiny_field_transformer());
  for (int step = 0; step < 20; ++step) {
    const auto loss = eager.forward(eager.next_batch());
    eager.backward(loss);
    eager.optimizer_step();
    const double wanted = loss.item<double>();
    const double given = compiled->step(compiled->next_batch()).item<double>();
    EXPECT_NEAR(given, wanted, compiled_field_loss_rtol * wanted) << "step " << step;
  }
}

TEST_F(CompiledFields, NameTheirPackageInTheFingerprint) {
  const DataFolder folder;
  EXPECT_THAT(compiled_fields(folder, tiny_field_transformer())->data_digest(),
              testing::MatchesRegex("painted[+].{64}"));
}

TEST_F(CompiledFields, AreCompiledForOneSize) {
  FieldTransformerSize wide = tiny_field_transformer();
  wide.width *= 2;
  EXPECT_THAT(refusal_of_size(wide),
              HasSubstr("compiled for float32 (64, 32, 32), contiguous, and was given float32 (64, 64, 64)"));
  FieldTransformerSize more_rows = tiny_field_transformer();
  more_rows.loader.batch_size *= 2;
  EXPECT_THAT(refusal_of_size(more_rows),
              HasSubstr("compiled for int64 (32, 64), contiguous, and was given int64 (64, 64)"));
}

TEST(CompiledFieldTransformer, RefusesAnotherModel) {
  FieldTransformerSize naive = tiny_field_transformer();
  naive.model = FieldModel::naive;
  FieldTransformerSize heads = tiny_field_transformer();
  heads.heads = 8;
  EXPECT_THAT(refusal_of_size(naive), HasSubstr("add model=fixed"));
  EXPECT_THAT(refusal_of_size(heads), HasSubstr("has 4 heads, not 8"));
}

}  // namespace
}  // namespace stepgate
