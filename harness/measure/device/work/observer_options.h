// What an observation of operators keeps.
#pragma once

#include <cstdint>
#include <functional>

namespace stepgate {

struct ObserverOptions {
  bool by_shape = false;   ///< one site per sizes and strides of the operands
  bool on_gpu = false;     ///< the step's tensors are on a GPU: no host waits for operators on other tensors
  bool with_lines = true;  ///< unwind the stack, for CodePlace::offsets
  /// Launches will be noted: the operands of each call on a GPU are described, so that a library's call has its shapes.
  bool with_launches = false;
  /// Bytes that tensors have requested so far, for OperatorSite::allocated_bytes, which stays 0 without it. Called
  /// twice per operator, on any thread.
  std::function<std::int64_t()> requested_bytes = {};
};

}  // namespace stepgate
