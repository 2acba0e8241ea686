// A module that computes in train mode. training_modules.h finds those of a model.
#pragma once

#include <string>

namespace stepgate {

/// A module in train mode that gives other results in eval mode, such as dropout or batch norm. A linear layer, or an
/// LSTM without dropout, behaves the same in both and is none.
struct TrainingModule {
  std::string name;  ///< its path in the model: "encoder.0.dropout"
  std::string kind;  ///< its class: "Dropout"

  bool operator==(const TrainingModule&) const = default;
};

}  // namespace stepgate
