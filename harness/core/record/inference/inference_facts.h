// What an inference case must not do, as far as it was seen: compute in train mode, or record a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stepgate/training_module.h"

namespace stepgate {

/// Present in every record of an inference case, in group timed and in group exact.
struct InferenceFacts {
  std::int64_t answers = 0;        ///< that were looked at: all requests of the passes that ran
  std::int64_t graph_answers = 0;  ///< those among them that require grad, so that each of them holds its graph
  /// Modules in train mode at the end of the last pass; empty: none. Absent where the program does not tell its modules
  /// (a loop that does not call marks.training_modules()).
  std::optional<std::vector<TrainingModule>> training_modules = std::nullopt;

  bool operator==(const InferenceFacts&) const = default;
};

}  // namespace stepgate
