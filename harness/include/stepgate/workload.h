// The interface that a perftest author implements: data, model, loss and optimizer of one training job, cut at the
// boundaries that stepgate measures. The harness owns the loop: it calls the functions in order and measures between
// them.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stepgate/exchange_switch.h"
#include "stepgate/loss_scaling.h"
#include "stepgate/step_form.h"

namespace stepgate {

/// One batch as the loader delivers it: host tensors, and its amounts for throughput figures.
struct Batch {
  std::vector<torch::Tensor> tensors;  ///< on the host; the harness copies them to the device (boundary h2d)
  std::int64_t samples = 0;
  std::int64_t padded_tokens = 0;     ///< 0 where the workload has no tokens
  std::int64_t effective_tokens = 0;  ///< tokens that carry data, without padding; 0 in all steps: not declared
  /// Model FLOPs of the whole step on this batch: a multiplication and an addition are two; forward, backward and
  /// optimizer; without recomputation (activation checkpointing), as MLPerf counts. 0: not declared.
  std::int64_t flops = 0;
};

/// The input of a workload's constructor. Each pass builds the workload anew, with the same values.
struct CaseContext {
  torch::Device device = torch::kCPU;
  std::uint64_t seed = 0;  ///< torch::manual_seed was already called with it
  std::filesystem::path
      data_dir;  ///< --data DIR, else DATA_ROOT of stepgate_add_cases(); absolute; "" if neither is given
  std::map<std::string, std::string> params;
  std::string dtype = "float32";    ///< Case::dtype; autocast.h obeys it
  bool synchronous_loader = false;  ///< true in exact passes: load on the calling thread, so that counts repeat
  std::int64_t rank = 0;            ///< number of this process among the `ranks` that train together (data parallel)
  std::int64_t ranks = 1;
  std::filesystem::path rendezvous;  ///< file through which the ranks find each other; "" with one rank
};

/// Time that the last data-parallel step spent on exchanging gradients, by the clock of host or device, summed over its
/// passes.
struct Communication {
  std::int64_t allreduce_ns = 0;  ///< from the begin of a pass's first exchange to the end of its last one, with gaps
  std::int64_t wait_ns = 0;       ///< the part of it in which the host or device waited because no backward work ran
};

/// A training job. Functions run once per step in the order below, on one thread. No function should time, print or
/// synchronise, because stepgate would measure that as part of the job.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Boundary data_wait: the next batch, on the host. There is no last call: wrap around at the end of an epoch.
  virtual Batch next_batch() = 0;

  /// Boundary forward: model and loss on the device. Returns a scalar that requires grad.
  virtual torch::Tensor forward(const Batch& batch) = 0;

  /// Boundary backward.
  virtual void backward(const torch::Tensor& loss) { loss.backward(); }

  /// Boundary optimizer: clip, update, then zero the gradients.
  virtual void optimizer_step() = 0;

  /// Boundary logging: what the job does with its loss after a step. Default: nothing.
  virtual void log_step(std::int64_t /*step*/, const torch::Tensor& /*loss*/) {}

  /// Writes what the job needs to go on: `path` names nothing yet, in a folder that is removed afterwards; write a file
  /// there, or make it a folder. Returns true where it wrote. Called between steps, in the passes checkpoint and
  /// checkpoint_bytes only. Throws where a write fails: a full disk must not look like a small checkpoint. Default: the
  /// job saves none.
  virtual bool save_checkpoint(const std::filesystem::path& /*path*/) { return false; }

  /// The time of the last step's gradient exchange; absent if there is none. Called between the boundaries.
  virtual std::optional<Communication> communication() const { return std::nullopt; }

  /// The losses of the last step that are guarded beside the one of forward(), by name (lower case letters, digits,
  /// underscores), for example of a discriminator. Each is one number. The same names in every step. Called after the
  /// step, in the numerics pass only.
  virtual std::map<std::string, torch::Tensor> further_losses() const { return {}; }

  /// For a workload that scales its loss; absent if it does not. It may read the device: it is called between windows
  /// in timed passes, and between steps in exact ones.
  virtual std::optional<LossScaling> loss_scaling() const { return std::nullopt; }

  /// Trainable parameters, for gradient norms and digests. Their order must be stable.
  virtual std::vector<torch::Tensor> parameters() const = 0;

  /// SHA-256 (or another stable digest) of the input data, "" for synthetic data. Part of the fingerprint.
  virtual std::string data_digest() const { return ""; }

  /// Classes of stepgate that give their step in another form override it (whole_step_workload.h). Leave it as it is.
  virtual StepForm step_form() const { return StepForm::phases; }

  /// A workload that is an ExchangeSwitch as well is found here; nullptr for another one.
  virtual ExchangeSwitch* exchange_switch() { return dynamic_cast<ExchangeSwitch*>(this); }

 protected:
  Workload() = default;
  Workload(const Workload&) = default;
  Workload& operator=(const Workload&) = default;
};

}  // namespace stepgate
