#include "measure/device/torch_held_tensors.h"

namespace stepgate {

bool is_held(const torch::Tensor& view, std::size_t own) {
  return view.defined() && view.has_storage() && (view.use_count() > 1 || view.storage().use_count() > own);
}

void HeldTensors::note(std::size_t index, const torch::Tensor& view, std::int64_t step) {
  if (index >= tensors_.size()) tensors_.resize(index + 1);
  HeldTensor& held = tensors_[index];
  if (held.times++ > 0) return;
  held.type = view.scalar_type();
  held.sizes = view.sizes().vec();
  held.bytes = static_cast<std::int64_t>(view.storage().nbytes());
  held.first_step = step;
}

}  // namespace stepgate
