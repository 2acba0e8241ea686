// One training step cut at its boundaries, as the step loop drives it. Implemented over a Workload (torch_step.h)
// and by scripted steps in tests, so that all attribution logic runs without LibTorch and without a GPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/step_boundaries.h"

namespace stepgate {

/// Of a step that is a CUDA graph.
struct GraphWork {
  std::int64_t captured = 0;      ///< graphs made in this step
  std::int64_t kernel_nodes = 0;  ///< of the graph that ran, as the two below
  std::int64_t memcpy_nodes = 0;
  std::int64_t memset_nodes = 0;
  std::int64_t pool_bytes = 0;    ///< memory of all graphs
  std::int64_t recording_ns = 0;  ///< of all graphs made so far
};

/// What the loaded batch counts for.
struct BatchInfo {
  std::int64_t samples = 0;
  std::int64_t padded_tokens = 0;
  std::int64_t effective_tokens = 0;
  std::int64_t flops = 0;  ///< as Batch::flops
  std::int64_t h2d_bytes = 0;
  std::int64_t h2d_copies = 0;
  std::optional<std::int64_t> pageable_copies =
      std::nullopt;  ///< of these from pageable memory; absent where nothing can be pinned
  std::optional<std::int64_t> allreduce_ns = std::nullopt;  ///< gradient exchange of this step, as StepSample
  std::optional<std::int64_t> allreduce_wait_ns = std::nullopt;
  std::optional<GraphWork> graphs = std::nullopt;  ///< in exact passes; absent where the step is no CUDA graph
  std::uint64_t shape = 0;                         ///< hash of all input shapes and dtypes
};

class MemoryTrace;

class StepActions {
 public:
  virtual ~StepActions() = default;
  virtual void load() = 0;  ///< boundary data_wait
  /// Boundary h2d. Events are recorded on the copy stream around it, so a copy stream that must wait until compute has
  /// read a buffer must wait in release(): in here the wait would count as copying.
  virtual void copy_to_device() = 0;
  virtual void forward() = 0;
  virtual void backward() = 0;
  virtual void optimizer_step() = 0;
  virtual void log(std::int64_t step) = 0;  ///< boundary logging
  /// A boundary that the user's loop names itself (is_own()).
  virtual void run_own(Boundary /*boundary*/) {}
  /// The boundaries of a step in the order in which they run. The first step of a user's loop tells them: when the loop
  /// ends a boundary of its own there, it is inserted before the one that was to run and takes its place. So a pass
  /// goes through order() by index, and looks again which boundary has run.
  virtual const StepBoundaries& boundaries() const;
  virtual BatchInfo batch_info() const = 0;  ///< of the batch loaded last; called outside the boundaries
  /// Dtypes and sizes of that batch, "int64[8, 67], int64[8, 67]"; "" where they are not known. Called between the
  /// boundaries and release(), in exact passes only.
  virtual std::string input_sizes() const { return ""; }
  virtual void release() = 0;  ///< drops batch and loss at step end
  /// Graphs of earlier steps that are still alive, by the boundary in which something kept them. Called after
  /// release(), in exact passes only.
  virtual std::map<std::string, std::int64_t> held_graphs() const { return {}; }
  /// Updates that the user's loss scaler skipped so far; absent where it scales no loss. It may read the device: called
  /// between windows and between steps of other passes only.
  virtual std::optional<std::int64_t> skipped_updates() const { return std::nullopt; }
  /// From now on log() does nothing (`on` false) or what the workload does (pass logging).
  virtual void set_logging(bool on) = 0;
  /// While `resident`, load() and copy_to_device() keep the batch already on the device (pass synthetic).
  virtual void keep_batch(bool resident) = 0;
  /// Writes a checkpoint to that path (passes checkpoint and checkpoint_bytes). False: the step's owner saves none.
  virtual bool save_checkpoint(const std::filesystem::path& /*path*/) { return false; }
  /// From now on held_graphs() and BatchInfo::pageable_copies are kept. That costs time, so only exact passes call it.
  virtual void watch_closely() {}
  /// Marks in `trace` which blocks hold parameters, and which hold gradients that exist now.
  virtual void mark_memory(MemoryTrace& /*trace*/) const {}

 protected:
  StepActions() = default;
  StepActions(const StepActions&) = default;
  StepActions& operator=(const StepActions&) = default;
};

}  // namespace stepgate
