#include "tabular/field_transformer.h"

#include "support/cache_folder.h"
#include "tabular/compiled_field_transformer.h"

namespace stepgate {
namespace {

constexpr double field_learning_rate = 3e-3;
constexpr double field_weight_decay = 0.01;

torch::optim::AdamWOptions field_optimizer_options() {
  return torch::optim::AdamWOptions(field_learning_rate).weight_decay(field_weight_decay);
}

FieldNetwork field_network_on(const torch::Device& device, const FieldTransformerSize& size) {
  FieldNetwork model(size);  // on the host, so that a seed gives the same weights on every device
  model->to(device);
  return model;
}

}  // namespace

FieldTransformer::FieldTransformer(const CaseContext& context, const FieldTransformerSize& size)
    : FieldTransformer(context, size, open_fields(context.data_dir, cache_folder("records"))) {}

FieldTransformer::FieldTransformer(const CaseContext& context, const FieldTransformerSize& size, FieldTable table)
    : device_type_(context.device.type()),
      autocast_(asks_for_autocast(context.dtype)),
      loader_(context, size, std::move(table)),
      model_(field_network_on(context.device, size)),
      parameters_(model_->parameters()),
      optimizer_(parameters_, field_optimizer_options()),
      loss_sum_(torch::zeros({}, context.device)) {}

torch::Tensor FieldTransformer::forward(const Batch& batch) {
  const Autocast autocast(device_type_, autocast_);
  return torch::cross_entropy_loss(model_->forward(batch.tensors[0]), batch.tensors[1]);
}

void FieldTransformer::optimizer_step() {
  optimizer_.step();
  optimizer_.zero_grad();
}

void FieldTransformer::log_step(std::int64_t /*step*/, const torch::Tensor& loss) { loss_sum_.add_(loss.detach()); }

std::unique_ptr<Workload> make_tiny_field_transformer(const CaseContext& context) {
  std::map<std::string, std::string> params = context.params;
  const FieldStep step = take_field_step(params);
  const FieldTransformerSize size = with_params(tiny_field_transformer(), params);
  if (step == FieldStep::compiled) return std::make_unique<CompiledFieldTransformer>(context, size);
  return std::make_unique<FieldTransformer>(context, size);
}

std::unique_ptr<Workload> make_full_field_transformer(const CaseContext& context) {
  return std::make_unique<FieldTransformer>(context, with_params(full_field_transformer(), context.params));
}

}  // namespace stepgate
