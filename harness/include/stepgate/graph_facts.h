// What is known of the CUDA graphs of a step.
#pragma once

#include <cstdint>

namespace stepgate {

struct GraphFacts {
  std::int64_t captures = 0;      ///< graphs made so far: one for each signature of the inputs
  std::int64_t kernel_nodes = 0;  ///< nodes of the graph that ran last, as the three below
  std::int64_t memcpy_nodes = 0;
  std::int64_t memset_nodes = 0;
  std::int64_t other_nodes = 0;
  std::int64_t pool_bytes = 0;    ///< memory that the graphs keep for themselves
  std::int64_t recording_ns = 0;  ///< host time of all recordings, from an idle device to a graph that can run
};

}  // namespace stepgate
