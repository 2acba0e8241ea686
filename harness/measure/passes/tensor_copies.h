// What the h2d pass copies: the workload's own batch, one tensor of the same size, and fixed sizes in one or in many
// pieces.
#pragma once

#include <torch/torch.h>

#include <vector>

#include "measure/device/device_side.h"
#include "measure/passes/copy_trials.h"

namespace stepgate {

class TensorCopies final : public CopyActions {
 public:
  /// Allocates everything. Page-locked sources exist only where `device` can pin memory. `batch` holds the host tensors
  /// of one batch; if it is empty or undefined, the series of the batch is left out.
  TensorCopies(DeviceSide& device, const std::vector<torch::Tensor>& batch);

  const std::vector<CopySeries>& kinds() const override { return kinds_; }
  void copy(std::size_t kind) override { device_.copy_tensors(sources_[kind], targets_[kind]); }

 private:
  void add(CopyLayout layout, std::vector<torch::Tensor> sources, bool pinned);
  void add_sizes(bool pinned);

  DeviceSide& device_;
  std::vector<CopySeries> kinds_;
  std::vector<std::vector<torch::Tensor>> sources_;
  std::vector<std::vector<torch::Tensor>> targets_;
};

}  // namespace stepgate
