// Checkpoints of a case: where its process writes them.
#pragma once

#include "measure/passes/checkpoint_passes.h"
#include "measure/program/case/run_settings.h"

namespace stepgate {

inline constexpr const char* save_metric = "checkpoint_save_ns";
inline constexpr const char* checkpoint_bytes_metric = "checkpoint_bytes";

/// Beside the record. By hand there is none: below the folder of temporary files, under a name with the process's
/// number.
CheckpointPlace checkpoint_place(const RunSettings& settings);

}  // namespace stepgate
