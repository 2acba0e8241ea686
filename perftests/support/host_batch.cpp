#include "support/host_batch.h"

#include <stdexcept>
#include <string>

namespace stepgate {

torch::Tensor host_batch(at::IntArrayRef sizes, std::int64_t most, const torch::TensorOptions& options) {
  std::int64_t numbers = 1;
  for (const std::int64_t size : sizes) numbers *= size;
  if (numbers > most) {
    throw std::invalid_argument("a batch of " + std::to_string(numbers) + " numbers is larger than the largest, " +
                                std::to_string(most));
  }
  if (!options.pinned_memory()) return torch::empty(sizes, options);
  torch::Tensor tensor = torch::empty({most}, options);
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);  // a view would be an operator more
  return tensor;
}

}  // namespace stepgate
