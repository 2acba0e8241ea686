// The step of tabular/field_transformer/tiny as one call into a package that was compiled ahead of time:
// tabular/export_field_transformer.py writes it, and has the same numbers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compiled/packaged_step.h"
#include "stepgate/whole_step_workload.h"
#include "tabular/field_loader.h"

namespace stepgate {

/// Of the package in stepgate's cache, which ci/compile_case makes.
inline constexpr const char* field_transformer_package = "field_transformer_tiny";

/// The same losses as FieldTransformer with the model `fixed`, up to rounding.
class CompiledFieldTransformer : public WholeStepWorkload {
 public:
  /// Throws std::invalid_argument for another model or number of heads, DataError without data, std::runtime_error
  /// without a package.
  CompiledFieldTransformer(const CaseContext& context, const FieldTransformerSize& size);
  /// The same with opened rows.
  CompiledFieldTransformer(const CaseContext& context, const FieldTransformerSize& size, FieldTable table);

  Batch next_batch() override { return loader_.next(); }
  torch::Tensor step(const Batch& batch) override { return step_.run(batch.tensors); }
  void log_step(std::int64_t /*step*/, const torch::Tensor& loss) override { loss_sum_.add_(loss); }
  bool hides_operators() const override { return true; }
  std::optional<std::int64_t> compile_seconds() const override { return step_.facts().seconds; }
  std::vector<torch::Tensor> parameters() const override { return step_.parameters(); }
  /// Of the rows and of the package: another package is another case.
  std::string data_digest() const override { return loader_.digest() + "+" + step_.facts().digest; }

 protected:
  const FieldLoader& loader() const { return loader_; }

 private:
  FieldLoader loader_;
  PackagedStep step_;
  torch::Tensor loss_sum_;
};

}  // namespace stepgate
