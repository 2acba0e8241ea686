#include "tabular/field_batches.h"

#include <algorithm>
#include <stdexcept>

namespace stepgate {
namespace {

auto make_field_batches(std::shared_ptr<const FieldRows> rows, const LoaderShape& shape,
                        const FieldBatches::Epoch& epoch) {
  const std::int64_t samples = rows->count() * epoch.repeats;
  if (samples < shape.batch_size) {
    throw std::invalid_argument("an epoch of " + std::to_string(samples) + " rows has no batch of " +
                                std::to_string(shape.batch_size) + "; lower batch_size");
  }
  auto options = torch::data::DataLoaderOptions(static_cast<std::size_t>(shape.batch_size))
                     .workers(static_cast<std::size_t>(shape.workers))
                     .enforce_ordering(true);
  // Without workers max_jobs must stay 0 (image_loader.cpp).
  if (shape.workers > 0) options.max_jobs(static_cast<std::size_t>(shape.prefetch_batches));
  auto number = std::make_shared<std::int64_t>(0);
  EpochSampler sampler(samples, epoch.seed, number);
  FieldDataset dataset(std::move(rows), epoch.repeats, shape.pinned != 0);
  return EndlessLoader(torch::data::make_data_loader(std::move(dataset), std::move(sampler), options),
                       [number](std::int64_t begun) { *number = begun; });
}

}  // namespace

FieldDataset::FieldDataset(std::shared_ptr<const FieldRows> rows, std::int64_t repeats, bool pinned)
    : rows_(std::move(rows)), repeats_(repeats), pinned_(pinned) {}

Batch FieldDataset::get_batch(std::vector<SampleKey> keys) {
  const auto rows = static_cast<std::int64_t>(keys.size());
  const auto options = torch::TensorOptions().dtype(torch::kInt64).pinned_memory(pinned_);
  const auto levels = torch::empty({rows, field_count}, options);
  const auto labels = torch::empty({rows}, options);
  auto* level = levels.mutable_data_ptr<std::int64_t>();
  auto* label = labels.mutable_data_ptr<std::int64_t>();
  for (const SampleKey& key : keys) {
    const FieldRow row = rows_->read(key.index % rows_->count());
    level = std::ranges::copy(row.levels, level).out;
    *label++ = row.label;
  }
  Batch batch;
  batch.tensors = {levels, labels};
  batch.samples = rows;
  return batch;
}

std::optional<std::size_t> FieldDataset::size() const { return static_cast<std::size_t>(rows_->count() * repeats_); }

FieldBatches::FieldBatches(std::shared_ptr<const FieldRows> rows, const LoaderShape& shape, const Epoch& epoch)
    : batches_(make_field_batches(std::move(rows), shape, epoch)) {}

}  // namespace stepgate
