// A whole training step in a package, forward, backward and AdamW for one batch shape, as export_step.py writes it.
#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <vector>

#include "compiled/compiled_package.h"

namespace stepgate {

class PackagedStep {
 public:
  /// `initial`: the parameters in the package's order; the step trains copies that share their storage. Throws
  /// std::runtime_error where there is no package in `folder`.
  PackagedStep(const std::filesystem::path& folder, const std::vector<torch::Tensor>& initial);

  /// Trains once with these tensors and returns the loss before the update. The first call loads the package. Throws
  /// std::invalid_argument for other shapes than it was compiled for.
  torch::Tensor run(const std::vector<torch::Tensor>& batch);

  std::vector<torch::Tensor> parameters() const;
  const PackageFacts& facts() const { return package_.facts(); }

 private:
  CompiledPackage package_;
  std::size_t parameter_count_;
  std::size_t held_count_ = 0;          ///< tensors of `tensors_` that stay from step to step
  std::vector<torch::Tensor> tensors_;  ///< parameters, both moments, number of the step, then those of the batch
};

}  // namespace stepgate
