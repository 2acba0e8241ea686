// What is known of the CUDA graphs of a step.
#pragma once

#include <cstdint>
#include <optional>

namespace stepgate {

struct GraphFacts {
  std::int64_t captures = 0;      ///< graphs made so far: one for each signature of the inputs
  std::int64_t kernel_nodes = 0;  ///< nodes of the graph that ran last, as the three below
  std::int64_t memcpy_nodes = 0;
  std::int64_t memset_nodes = 0;
  std::int64_t other_nodes = 0;
  /// Memory that the graphs keep for themselves; absent where LibTorch's allocator does not tell
  /// (PYTORCH_ALLOC_CONF=backend:cudaMallocAsync).
  std::optional<std::int64_t> pool_bytes = std::nullopt;
  std::int64_t recording_ns = 0;  ///< host time of all recordings, from an idle device to a graph that can run
};

}  // namespace stepgate
