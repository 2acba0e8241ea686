// Endless batches of table rows in an order that depends on the seed only, whichever loader makes them.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <vector>

#include "stepgate/endless_loader.h"
#include "support/image_loader.h"
#include "tabular/field_rows.h"

namespace stepgate {

/// Makes a batch of the given rows: levels rows x field_count int64, labels rows int64.
class FieldDataset : public torch::data::datasets::BatchDataset<FieldDataset, Batch, std::vector<SampleKey>> {
 public:
  FieldDataset(std::shared_ptr<const FieldRows> rows, std::int64_t repeats, bool pinned);
  Batch get_batch(std::vector<SampleKey> keys) override;
  std::optional<std::size_t> size() const override;

 private:
  std::shared_ptr<const FieldRows> rows_;  ///< shared, because DataLoader copies the dataset for each worker
  std::int64_t repeats_;
  bool pinned_;
};

class FieldBatches {
 public:
  struct Epoch {
    std::int64_t repeats = 1;  ///< times that an epoch shows each row
    std::uint64_t seed = 0;
  };
  /// Starts the workers of `shape`. Throws std::invalid_argument if an epoch has fewer rows than a batch.
  FieldBatches(std::shared_ptr<const FieldRows> rows, const LoaderShape& shape, const Epoch& epoch);

  /// The next batch. Throws a worker's exception as torch::data::WorkerException with the original message.
  Batch next() { return batches_.next(); }

 private:
  EndlessLoader<torch::data::StatelessDataLoader<FieldDataset, EpochSampler>> batches_;
};

}  // namespace stepgate
