// Which tensors of its batches the user's code still held when the next batch was to be written into their memory.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stepgate {

struct HeldTensor {
  c10::ScalarType type = c10::ScalarType::Float;
  std::vector<std::int64_t> sizes = {};  ///< when it was first held
  std::int64_t bytes = 0;                ///< of its memory
  std::int64_t first_step = 0;           ///< the first step after which it was held
  std::int64_t times = 0;                ///< steps after which it was held; 0: never
};

/// Whether the user's code holds `view` or other tensors over its memory, of which the harness itself has `own`
/// references.
bool is_held(const torch::Tensor& view, std::size_t own);

class HeldTensors {
 public:
  /// Tensor `index` of a batch is held after `step`. Allocates only the first time.
  void note(std::size_t index, const torch::Tensor& view, std::int64_t step);
  bool was_held(std::size_t index) const { return index < tensors_.size() && tensors_[index].times > 0; }
  /// By their index in the batch.
  const std::vector<HeldTensor>& tensors() const { return tensors_; }

 private:
  std::vector<HeldTensor> tensors_;
};

}  // namespace stepgate
