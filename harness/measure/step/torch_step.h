// One training step over a Workload, cut at its boundaries for the step loop.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/boundary.h"
#include "measure/device/batch_copier.h"
#include "measure/device/work/graph_watch.h"
#include "measure/step/tensor_step.h"
#include "stepgate/exchange_switch.h"
#include "stepgate/graph_facts.h"
#include "stepgate/workload.h"

namespace stepgate {

/// Batches that are kept and take turns, in experiments of group profile.
enum class KeptBatches {
  none,
  on_host,   ///< the loader is not asked; each step copies its batch to the device
  on_device  ///< the loader is not asked, and nothing is copied
};

/// "int64[8, 67], float32[8]" of these tensors; "" without one.
std::string sizes_text(at::TensorList tensors);

/// A step of forward, backward and optimizer. Forms with other work between copy and logging derive from it.
class TorchStep : public TensorStep, public StepSwitches, public StepSaves {
 public:
  /// Both must outlive this.
  TorchStep(Workload& workload, BatchCopier& copier) : TorchStep(workload, copier, StepBoundaries()) {}

  /// Workload::forward() gets the copies, never the loader's own tensors. Throws Error(usage) where its loss is not one
  /// number that requires grad.
  void run(Boundary boundary, std::int64_t step) override;
  const StepBoundaries& boundaries() const override { return boundaries_; }
  StepAbilities abilities() override { return {.switches = this, .watch = this, .saves = this, .scaling = this}; }
  StepFacts facts(const PassSeen& seen) const override;
  /// No copies and no bytes while the batch is resident.
  BatchInfo batch_info() const override;
  std::string input_sizes() const override { return sizes_text(host_.tensors); }
  void release() override;
  void before_window(std::int64_t steps) override { copier_.make_spares(steps); }
  void keep_batch(bool resident) override { resident_ = resident; }
  void set_logging(bool on) override { logging_ = on; }
  bool save_checkpoint(const std::filesystem::path& path) override { return workload_.save_checkpoint(path); }
  /// Draws `count` batches and keeps them, or the first where all have one shape. Several keep the work of steps whose
  /// batches vary in length.
  void keep_batches(KeptBatches kept, std::int64_t count);
  /// From now on a step takes the kept batch of its number, so that steps which other steps part see all of them;
  /// KeptBatches::none: it asks the loader again.
  void use_batches(KeptBatches kept) { kept_ = kept; }
  /// Draws a batch and lets go of it.
  void skip_batch() { static_cast<void>(workload_.next_batch()); }
  void drop_batches(KeptBatches kept) { kept_batches_.erase(kept); }
  /// Why optimizer_step() of the workload cannot be left out or replaced; "" where it can.
  virtual std::string_view keeps_optimizer() const { return ""; }
  /// From now on boundary optimizer calls this instead of the workload's; empty: the workload's again. Not for a step
  /// that keeps_optimizer().
  void replace_optimizer(std::function<void()> instead) { optimizer_instead_ = std::move(instead); }
  void watch_closely() override { graphs_.emplace(); }
  std::map<std::string, std::int64_t> held_graphs() const override;

  /// The next batch of the workload's loader, beside the step.
  Batch next_batch() { return workload_.next_batch(); }

  /// nullptr where the workload cannot leave its exchange of gradients out.
  ExchangeSwitch* exchange_switch() const { return workload_.exchange_switch(); }

  const torch::Tensor& loss() const override { return loss_; }
  std::vector<torch::Tensor> parameters() const override { return workload_.parameters(); }
  std::optional<LossScaling> loss_scaling() const override { return workload_.loss_scaling(); }
  /// Throws Error(usage) where the workload names a loss wrongly, or gives more or less than one number.
  std::map<std::string, torch::Tensor> further_losses() const override;

 protected:
  TorchStep(Workload& workload, BatchCopier& copier, StepBoundaries boundaries);

  /// Notes that the user's code runs in `boundary` from now on.
  void enter_boundary(Boundary boundary) { enter(boundary, step_); }
  const Batch& batch_on_device() const { return device_; }
  void set_loss(torch::Tensor loss) { loss_ = std::move(loss); }
  /// From now on every batch is written to the same addresses, whoever still holds them.
  void fix_addresses() { copier_.fix_addresses(); }

 private:
  void load(std::int64_t step);
  void copy_to_device();
  std::vector<KeptTensor> kept_tensors() const;
  void forward();
  void optimizer_step();
  void log(std::int64_t step);
  /// Facts of a step that is a CUDA graph.
  virtual std::optional<GraphFacts> graphs() const { return std::nullopt; }
  std::optional<GraphFacts> watched_graphs() const { return graphs_ ? graphs() : std::nullopt; }
  bool device_is_cuda() const { return !device_.tensors.empty() && device_.tensors.front().is_cuda(); }

  Workload& workload_;
  BatchCopier& copier_;
  StepBoundaries boundaries_;
  Batch host_;    ///< as the loader gave it
  Batch device_;  ///< the same on the device; empty before the first copy
  torch::Tensor loss_;
  bool loaded_ = false;     ///< a batch was loaded and not released
  bool on_device_ = false;  ///< and copied
  bool resident_ = false;
  bool logging_ = true;
  std::optional<GraphWatch> graphs_;  ///< in exact passes
  KeptBatches kept_ = KeptBatches::none;
  std::map<KeptBatches, std::vector<Batch>> kept_batches_;
  std::function<void()> optimizer_instead_;
  std::int64_t step_ = 0;
  std::int64_t captures_ = 0;  ///< CUDA graphs that the steps before this one made, in exact passes
};

/// Hash over dtype and sizes of all tensors of a batch.
std::uint64_t shape_hash(at::TensorList tensors);

}  // namespace stepgate
