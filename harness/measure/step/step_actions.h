// One training step cut at its boundaries, as the step loop drives it. Each form of step (step_form.h) implements it,
// and scripted steps in tests, so that all attribution logic runs without LibTorch and without a GPU.
#pragma once

#include <cstdint>
#include <optional>

#include "core/step_boundaries.h"
#include "measure/step/step_abilities.h"

namespace stepgate {

/// The work of a step that is a CUDA graph.
struct GraphWork {
  std::int64_t captured = 0;      ///< graphs made in this step
  std::int64_t kernel_nodes = 0;  ///< nodes of the graph that ran, as the two below
  std::int64_t memcpy_nodes = 0;
  std::int64_t memset_nodes = 0;
  std::optional<std::int64_t> pool_bytes = std::nullopt;  ///< memory of all graphs; absent where it is not known
  std::int64_t recording_ns = 0;                          ///< for all graphs made so far
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
      std::nullopt;  ///< those from pageable memory; absent if nothing can be pinned
  std::optional<std::int64_t> allreduce_ns = std::nullopt;  ///< gradient exchange of this step, as StepSample
  std::optional<std::int64_t> allreduce_wait_ns = std::nullopt;
  std::optional<GraphWork> graphs = std::nullopt;  ///< in exact passes; absent if the step is not a CUDA graph
  std::uint64_t shape = 0;                         ///< hash of all input shapes and dtypes
};

class StepActions {
 public:
  virtual ~StepActions() = default;
  /// Runs the work of `boundary`, one of boundaries(); `step` is the number that logging gets.
  /// Boundary h2d: events are recorded on the copy stream around it, so a copy stream that must wait until compute has
  /// read a buffer must wait in release(): in here the wait would count as copying.
  virtual void run(Boundary boundary, std::int64_t step) = 0;
  /// The boundaries of a step in the order in which they run. The first step of a user's loop tells them: when the loop
  /// ends a boundary of its own there, it is inserted before the one that was to run and takes its place. So a pass
  /// goes through order() by index, and looks again which boundary has run.
  virtual const StepBoundaries& boundaries() const;
  virtual BatchInfo batch_info() const = 0;  ///< info on the batch loaded last; called outside the boundaries
  virtual void release() = 0;                ///< drops batch and loss at step end
  /// Outside of windows, before one of `steps` steps: what the harness can do now, it need not do in the window.
  virtual void before_window(std::int64_t /*steps*/) {}
  /// What this form of step can do beyond that. Not asked within a window.
  virtual StepAbilities abilities() { return {}; }

 protected:
  StepActions() = default;
  StepActions(const StepActions&) = default;
  StepActions& operator=(const StepActions&) = default;
};

}  // namespace stepgate
