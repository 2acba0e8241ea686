// LibTorch's DataLoader over image samples: endless batches that do not depend on the number of workers.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <vector>

#include "stepgate/endless_loader.h"
#include "stepgate/workload.h"
#include "support/image_samples.h"

namespace stepgate {

/// The form of the batches: parameters that a sweep may vary.
struct LoaderShape {
  std::int64_t batch_size = 32;
  std::int64_t workers = 0;           ///< 0: the calling thread does the work
  std::int64_t prefetch_batches = 2;  ///< batches in work or ready (DataLoader's max_jobs), >= 1
  std::int64_t pinned = 0;            ///< 1: batches in page-locked memory, which only a CUDA machine has
};

/// Selects the samples of an epoch's next batch.
class EpochSampler : public torch::data::samplers::Sampler<std::vector<SampleKey>> {
 public:
  EpochSampler(std::int64_t samples, std::uint64_t seed, std::shared_ptr<const std::int64_t> epoch);
  void reset(std::optional<std::size_t> new_size = std::nullopt) override;
  /// Omits the incomplete last batch, because it would have another shape.
  std::optional<std::vector<SampleKey>> next(std::size_t batch_size) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

 private:
  std::int64_t samples_;
  std::uint64_t seed_;
  std::shared_ptr<const std::int64_t> epoch_;  ///< set by the loader's owner before each reset()
  std::vector<std::int64_t> order_;
  std::size_t taken_ = 0;
};

/// Makes a batch of the given samples: images rows x channels x height x width float32, labels rows int64.
class ImageDataset : public torch::data::datasets::BatchDataset<ImageDataset, Batch, std::vector<SampleKey>> {
 public:
  ImageDataset(std::shared_ptr<const ImageSamples> samples, bool pinned);
  Batch get_batch(std::vector<SampleKey> keys) override;
  std::optional<std::size_t> size() const override;

 private:
  std::shared_ptr<const ImageSamples> samples_;  ///< shared, because DataLoader copies the dataset for each worker
  bool pinned_;
};

class ImageLoader {
 public:
  /// Starts the workers; they begin to work at the first next(). Throws std::invalid_argument if an epoch has fewer
  /// samples than a batch, or for an invalid shape.
  ImageLoader(std::shared_ptr<const ImageSamples> samples, const LoaderShape& shape, std::uint64_t seed);

  /// The next batch, in the order of (seed, epoch). Throws a worker's exception as torch::data::WorkerException with
  /// the original message.
  Batch next() { return batches_.next(); }

 private:
  EndlessLoader<torch::data::StatelessDataLoader<ImageDataset, EpochSampler>> batches_;
};

}  // namespace stepgate
