// The operands of an operator call as a profiler recorded them, with record_shapes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stepgate {

/// One entry for each argument of the operator in each list, where the trace has that list.
struct RecordedOperands {
  std::vector<std::string> types;                  ///< "float", "c10::BFloat16", "Scalar", "TensorList", "" for absent
  std::vector<std::vector<std::int64_t>> sizes;    ///< of tensors
  std::vector<std::vector<std::int64_t>> strides;  ///< likewise
  std::vector<std::string> values;                 ///< of other arguments, "" for tensors: "1", "[16, 16]", "False"

  bool operator==(const RecordedOperands&) const = default;
};

}  // namespace stepgate
