#include "tabular/compiled_field_transformer.h"

#include <stdexcept>
#include <utility>

#include "support/cache_folder.h"
#include "tabular/field_network.h"

namespace stepgate {
namespace {

/// The first parameters of FieldTransformer with the same seed.
std::vector<torch::Tensor> initial_parameters(const FieldTransformerSize& size) {
  if (size.model != FieldModel::fixed)
    throw std::invalid_argument("field_transformer: step=compiled has the model `fixed`; add model=fixed");
  // All other sizes show in the shapes of tensors, which the package checks.
  const std::int64_t compiled_heads = tiny_field_transformer().heads;
  if (size.heads != compiled_heads) {
    throw std::invalid_argument("field_transformer: the compiled step has " + std::to_string(compiled_heads) +
                                " heads, not " + std::to_string(size.heads));
  }
  return FieldNetwork(size)->parameters();
}

}  // namespace

CompiledFieldTransformer::CompiledFieldTransformer(const CaseContext& context, const FieldTransformerSize& size)
    : CompiledFieldTransformer(context, size, open_fields(context.data_dir, cache_folder("records"))) {}

CompiledFieldTransformer::CompiledFieldTransformer(const CaseContext& context, const FieldTransformerSize& size,
                                                   FieldTable table)
    : loader_(context, size, std::move(table)),
      step_(package_folder(field_transformer_package), initial_parameters(size)),
      loss_sum_(torch::zeros({})) {}

}  // namespace stepgate
