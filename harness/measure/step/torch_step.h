// One training step over a Workload, cut at its boundaries for the step loop.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/boundary.h"
#include "measure/device/batch_copier.h"
#include "measure/device/work/graph_watch.h"
#include "measure/step/tensor_step.h"
#include "stepgate/workload.h"

namespace stepgate {

class TorchStep final : public TensorStep {
 public:
  /// Both must outlive this.
  TorchStep(Workload& workload, BatchCopier& copier) : workload_(workload), copier_(copier) {}

  void load() override;
  /// forward() gets the copies, never the loader's own tensors.
  void copy_to_device() override;
  /// Throws Error(usage) where the workload's loss is not one number that requires grad.
  void forward() override;
  void backward() override;
  void optimizer_step() override;
  void log(std::int64_t step) override;
  /// No copies and no bytes while the batch is resident.
  BatchInfo batch_info() const override;
  void release() override;
  void keep_batch(bool resident) override { resident_ = resident; }
  void set_logging(bool on) override { logging_ = on; }
  void watch_closely() override { graphs_.emplace(); }
  std::map<std::string, std::int64_t> held_graphs() const override;

  const torch::Tensor& loss() const override { return loss_; }
  std::vector<torch::Tensor> parameters() const override { return workload_.parameters(); }
  /// Throws Error(usage) where the workload names a loss wrongly, or gives more or less than one number.
  std::map<std::string, torch::Tensor> further_losses() const override;

 private:
  bool device_is_cuda() const { return !device_.tensors.empty() && device_.tensors.front().is_cuda(); }

  Workload& workload_;
  BatchCopier& copier_;
  Batch host_;    ///< as the loader gave it
  Batch device_;  ///< the same on the device; empty before the first copy
  torch::Tensor loss_;
  bool loaded_ = false;     ///< a batch was loaded and not released
  bool on_device_ = false;  ///< and copied
  bool resident_ = false;
  bool logging_ = true;
  std::optional<GraphWatch> graphs_;  ///< in exact passes
  std::int64_t step_ = 0;
};

/// Hash over dtype and sizes of all tensors of a batch.
std::uint64_t shape_hash(at::TensorList tensors);

}  // namespace stepgate
