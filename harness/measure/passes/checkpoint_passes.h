// The passes checkpoint and checkpoint_bytes: what it takes to write model and optimizer to disk, and how much that is.
#pragma once

#include <filesystem>
#include <optional>

#include "core/record/run_record.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_actions.h"

namespace stepgate {

/// The place that checkpoints are written to.
struct CheckpointPlace {
  std::filesystem::path beside;  ///< each save gets a fresh folder of this name and an ending, removed afterwards
  bool may_be_empty = false;     ///< another rank may write everything
};

/// Times `run.steps.checkpoint` saves, each from an idle device to an idle device. What is written goes to the page
/// cache of the kernel unless the workload itself waits for the disk. Absent: the workload saves no checkpoint. Throws
/// Error(usage) where the count is not positive, Error(measure) where a save left no bytes and no other rank may have.
std::optional<CheckpointSaves> run_checkpoint(TimedRun& run, const CheckpointPlace& place);

/// Bytes of `steps.checkpoint_bytes` saves after `steps.exact_warmup` steps, so that the optimizer has its state.
/// Absent and errors as above.
std::optional<CheckpointSaves> run_checkpoint_bytes(StepActions& actions, const StepCounts& steps,
                                                    const CheckpointPlace& place);

}  // namespace stepgate
