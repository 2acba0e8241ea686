// One process more on an emulated GPU, which looks for stream hazards and for nothing else.
#pragma once

#include <atomic>
#include <optional>

#include "core/record/measurement.h"
#include "core/stream_hazards.h"
#include "environment/process/cpu_choice.h"
#include "launch/launch_request.h"

namespace stepgate {

/// One of the two says something.
struct HazardRun {
  std::optional<StreamHazards> hazards;
  std::optional<Replicate> failed;  ///< the process, where it or its file of hazards is of no use
};

/// `request` is complete and has an emulated GPU. The process has files of its own, in the folder "hazards" of
/// request.out_dir. What it counts is not read: it watches each operator.
/// `interrupted`: as of ReplicateRequest.
HazardRun run_for_hazards(const LaunchRequest& request, const CpuChoice& cpus, const std::atomic<int>* interrupted);

}  // namespace stepgate
