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
/// request.out_dir. What it counts is not read, since it watches each operator, and its record does not stay.
/// `interrupted`: as of ReplicateRequest.
HazardRun run_for_hazards(const LaunchRequest& request, const CpuChoice& cpus, const std::atomic<int>* interrupted);

/// The same for the measurement of a case that is asked for hazards, with what was found or the process that failed.
/// Nothing where a process of the case failed, since another one would fail too, and where the run was interrupted.
void add_hazards(const LaunchRequest& request, const CpuChoice& cpus, const std::atomic<int>* interrupted,
                 Measurement& measurement);

}  // namespace stepgate
