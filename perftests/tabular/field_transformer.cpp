#include "tabular/field_transformer.h"

#include "support/cache_folder.h"
#include "tabular/field_transformer_flops.h"

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

/// The naive loader is nothing but the calling thread.
FieldTransformerSize field_size_here(FieldTransformerSize size, const CaseContext& context) {
  const bool naive = size.loading == FieldLoading::naive;
  if (context.synchronous_loader || naive) size.loader.workers = 0;
  if (!context.device.is_cuda() || naive) size.loader.pinned = 0;
  return size;
}

}  // namespace

FieldTransformer::FieldTransformer(const CaseContext& context, const FieldTransformerSize& size)
    : FieldTransformer(context, size, open_fields(context.data_dir, cache_folder("records"))) {}

FieldTransformer::FieldTransformer(const CaseContext& context, const FieldTransformerSize& size, FieldTable table)
    : size_(field_size_here(size, context)),
      seed_(context.seed),
      device_type_(context.device.type()),
      autocast_(asks_for_autocast(context.dtype)),
      table_(std::move(table)),
      model_(field_network_on(context.device, size)),
      parameters_(model_->parameters()),
      optimizer_(parameters_, field_optimizer_options()),
      loss_sum_(torch::zeros({}, context.device)) {}

std::shared_ptr<const FieldRows> FieldTransformer::make_rows() const {
  if (size_.loading == FieldLoading::tuned) return std::make_shared<const DecodedRows>(*table_.records);
  return std::make_shared<const SearchedRows>(table_.packed, table_.records->count());
}

Batch FieldTransformer::next_batch() {
  if (!batches_) {
    const FieldBatches::Epoch epoch{.repeats = size_.repeats, .seed = seed_};
    batches_ = std::make_unique<FieldBatches>(make_rows(), size_.loader, epoch);
  }
  Batch batch = batches_->next();
  batch.flops = field_transformer_step_flops(size_, batch.samples);
  return batch;
}

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
  return std::make_unique<FieldTransformer>(context, with_params(tiny_field_transformer(), context.params));
}

std::unique_ptr<Workload> make_full_field_transformer(const CaseContext& context) {
  return std::make_unique<FieldTransformer>(context, with_params(full_field_transformer(), context.params));
}

}  // namespace stepgate
