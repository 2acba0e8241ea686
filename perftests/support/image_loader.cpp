#include "support/image_loader.h"

#include <stdexcept>

namespace stepgate {
namespace {

void check(const ImageSamples& samples, const LoaderShape& shape) {
  if (shape.batch_size < 1 || shape.workers < 0 || shape.prefetch_batches < 1) {
    throw std::invalid_argument("a loader needs batch_size >= 1, workers >= 0 and prefetch_batches >= 1");
  }
  if (samples.count() < shape.batch_size) {
    throw std::invalid_argument("an epoch of " + std::to_string(samples.count()) + " samples has no batch of " +
                                std::to_string(shape.batch_size) + "; lower batch_size");
  }
}

auto make_batches(std::shared_ptr<const ImageSamples> samples, const LoaderShape& shape, std::uint64_t seed) {
  check(*samples, shape);
  auto options = torch::data::DataLoaderOptions(static_cast<std::size_t>(shape.batch_size))
                     .workers(static_cast<std::size_t>(shape.workers))
                     .enforce_ordering(true);
  // Without workers max_jobs must be 0, its default: LibTorch would otherwise queue max_jobs batches that no worker
  // takes. Each epoch would lose its first batches, and the next begin() would fail with "not yet exhausted".
  if (shape.workers > 0) options.max_jobs(static_cast<std::size_t>(shape.prefetch_batches));
  auto epoch = std::make_shared<std::int64_t>(0);
  EpochSampler sampler(samples->count(), seed, epoch);
  ImageDataset dataset(std::move(samples), shape.pinned != 0);
  return EndlessLoader(torch::data::make_data_loader(std::move(dataset), std::move(sampler), options),
                       [epoch](std::int64_t number) { *epoch = number; });
}

}  // namespace

EpochSampler::EpochSampler(std::int64_t samples, std::uint64_t seed, std::shared_ptr<const std::int64_t> epoch)
    : samples_(samples), seed_(seed), epoch_(std::move(epoch)) {}

void EpochSampler::reset(std::optional<std::size_t> /*new_size*/) {
  order_ = shuffled_indices(samples_, seed_, *epoch_);
  taken_ = 0;
}

std::optional<std::vector<SampleKey>> EpochSampler::next(std::size_t batch_size) {
  if (order_.size() - taken_ < batch_size) return std::nullopt;
  std::vector<SampleKey> keys;
  keys.reserve(batch_size);
  for (std::size_t row = 0; row < batch_size; ++row) keys.push_back({*epoch_, order_[taken_++]});
  return keys;
}

void EpochSampler::save(torch::serialize::OutputArchive& /*archive*/) const {
  throw std::logic_error("EpochSampler keeps no state but its epoch and cannot be saved");
}

void EpochSampler::load(torch::serialize::InputArchive& /*archive*/) {
  throw std::logic_error("EpochSampler keeps no state but its epoch and cannot be loaded");
}

ImageDataset::ImageDataset(std::shared_ptr<const ImageSamples> samples, bool pinned)
    : samples_(std::move(samples)), pinned_(pinned) {}

Batch ImageDataset::get_batch(std::vector<SampleKey> keys) {
  const auto rows = static_cast<std::int64_t>(keys.size());
  const ImageShape shape = samples_->shape();
  // Pinned here, in the worker: pinning in the step can take longer than the copy that it speeds up
  // (docs/design/measurement.md, "Copies to the device").
  const auto options = torch::TensorOptions().pinned_memory(pinned_);
  const auto images = torch::empty({rows, shape.channels, shape.height, shape.width}, options.dtype(torch::kFloat32));
  const auto labels = torch::empty({rows}, options.dtype(torch::kInt64));
  auto* pixels = images.mutable_data_ptr<float>();
  auto* label = labels.mutable_data_ptr<std::int64_t>();
  const auto size = static_cast<std::size_t>(shape.numel());
  for (const SampleKey& key : keys) {
    *label++ = samples_->load(key, {pixels, size});
    pixels += size;
  }
  Batch batch;
  batch.tensors = {images, labels};
  batch.samples = rows;
  return batch;
}

std::optional<std::size_t> ImageDataset::size() const { return static_cast<std::size_t>(samples_->count()); }

ImageLoader::ImageLoader(std::shared_ptr<const ImageSamples> samples, const LoaderShape& shape, std::uint64_t seed)
    : batches_(make_batches(std::move(samples), shape, seed)) {}

}  // namespace stepgate
