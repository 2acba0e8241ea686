// A tensor of a batch that the user's code held when stepgate was to write the next batch into its memory.
#pragma once

#include <cstdint>
#include <string>

namespace stepgate {

struct KeptTensor {
  std::int64_t index = 0;       ///< into Batch::tensors
  std::string tensor;           ///< "float32[32, 64]", when it was first held
  std::int64_t bytes = 0;       ///< of its memory
  std::int64_t first_step = 0;  ///< the first step after which it was held, as StepPlace::step
  std::int64_t times = 0;       ///< steps after which it was held
  bool overwritten = false;     ///< the step is a CUDA graph, which reads fixed addresses: it got no other memory

  bool operator==(const KeptTensor&) const = default;
};

}  // namespace stepgate
