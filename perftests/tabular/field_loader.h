// The batches of a field transformer, by the loader of its size.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "stepgate/workload.h"
#include "tabular/field_batches.h"
#include "tabular/field_transformer_size.h"

namespace stepgate {

/// Batches carry two tensors: levels rows x field_count int64, labels rows int64.
class FieldLoader {
 public:
  /// Reads nothing yet: the loader starts with the first batch.
  FieldLoader(const CaseContext& context, const FieldTransformerSize& size, FieldTable table);
  Batch next();
  const std::string& digest() const { return table_.digest; }

 private:
  std::shared_ptr<const FieldRows> make_rows() const;

  FieldTransformerSize size_;
  std::uint64_t seed_;
  FieldTable table_;
  std::unique_ptr<FieldBatches> batches_;
};

}  // namespace stepgate
