#include "compiled/packaged_step.h"

namespace stepgate {

PackagedStep::PackagedStep(const std::filesystem::path& folder, const std::vector<torch::Tensor>& initial)
    : package_(folder), parameter_count_(initial.size()) {
  for (const torch::Tensor& parameter : initial) tensors_.push_back(parameter.detach());
  for (int moment = 0; moment < 2; ++moment) {
    for (const torch::Tensor& parameter : initial) tensors_.push_back(torch::zeros_like(parameter.detach()));
  }
  tensors_.push_back(torch::zeros({}));
  held_count_ = tensors_.size();
  tensors_.reserve(package_.facts().inputs.size());  // so that a step allocates nothing here
}

torch::Tensor PackagedStep::run(const std::vector<torch::Tensor>& batch) {
  tensors_.resize(held_count_);
  tensors_.insert(tensors_.end(), batch.begin(), batch.end());
  return package_.run(tensors_).at(0);
}

std::vector<torch::Tensor> PackagedStep::parameters() const {
  return {tensors_.begin(), tensors_.begin() + static_cast<std::ptrdiff_t>(parameter_count_)};
}

}  // namespace stepgate
