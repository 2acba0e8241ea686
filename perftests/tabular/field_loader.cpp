#include "tabular/field_loader.h"

#include <utility>

#include "tabular/field_transformer_flops.h"

namespace stepgate {
namespace {

/// The naive loader is nothing but the calling thread.
FieldTransformerSize field_size_here(FieldTransformerSize size, const CaseContext& context) {
  const bool naive = size.loading == FieldLoading::naive;
  if (context.synchronous_loader || naive) size.loader.workers = 0;
  if (!context.device.is_cuda() || naive) size.loader.pinned = 0;
  return size;
}

}  // namespace

FieldLoader::FieldLoader(const CaseContext& context, const FieldTransformerSize& size, FieldTable table)
    : size_(field_size_here(size, context)), seed_(context.seed), table_(std::move(table)) {}

std::shared_ptr<const FieldRows> FieldLoader::make_rows() const {
  if (size_.loading == FieldLoading::tuned) return std::make_shared<const DecodedRows>(*table_.records);
  return std::make_shared<const SearchedRows>(table_.packed, table_.records->count());
}

Batch FieldLoader::next() {
  if (!batches_) {
    const FieldBatches::Epoch epoch{.repeats = size_.repeats, .seed = seed_};
    batches_ = std::make_unique<FieldBatches>(make_rows(), size_.loader, epoch);
  }
  Batch batch = batches_->next();
  batch.flops = field_transformer_step_flops(size_, batch.samples);
  return batch;
}

}  // namespace stepgate
