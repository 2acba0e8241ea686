// LibTorch's DataLoader over image samples: batches without end, the same ones however many workers make them.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <vector>

#include "stepgate/endless_loader.h"
#include "stepgate/workload.h"
#include "support/image_samples.h"

namespace stepgate {

/// How samples become batches: parameters that a sweep may vary.
struct LoaderShape {
  std::int64_t batch_size = 32;
  std::int64_t workers = 0;           ///< 0: the calling thread does the work
  std::int64_t prefetch_batches = 2;  ///< that workers may be working on or have ready (DataLoader's max_jobs), >= 1
  std::int64_t pinned = 0;            ///< 1: batches in page-locked memory, which only a CUDA machine has
};

/// Which samples an epoch's next batch is made of.
class EpochSampler : public torch::data::samplers::Sampler<std::vector<SampleKey>> {
 public:
  EpochSampler(std::int64_t samples, std::uint64_t seed, std::shared_ptr<const std::int64_t> epoch);
  void reset(std::optional<std::size_t> new_size = std::nullopt) override;
  /// No incomplete batch: its shape would be another one.
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

/// Makes one batch of the samples it is told: images rows x channels x height x width float32, labels rows int64.
class ImageDataset : public torch::data::datasets::BatchDataset<ImageDataset, Batch, std::vector<SampleKey>> {
 public:
  ImageDataset(std::shared_ptr<const ImageSamples> samples, bool pinned);
  Batch get_batch(std::vector<SampleKey> keys) override;
  std::optional<std::size_t> size() const override;

 private:
  std::shared_ptr<const ImageSamples> samples_;  ///< DataLoader copies the dataset for each worker: share the data
  bool pinned_;
};

class ImageLoader {
 public:
  /// Starts the workers; they begin to work at the first next().
  /// Throws std::invalid_argument where an epoch has fewer samples than a batch, or for an impossible shape.
  ImageLoader(std::shared_ptr<const ImageSamples> samples, const LoaderShape& shape, std::uint64_t seed);

  /// The next batch, in the order of (seed, epoch). A worker's exception comes out as torch::data::WorkerException,
  /// with the message of the original one.
  Batch next() { return batches_.next(); }

 private:
  EndlessLoader<torch::data::StatelessDataLoader<ImageDataset, EpochSampler>> batches_;
};

}  // namespace stepgate
