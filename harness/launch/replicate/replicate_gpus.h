// The GPUs of one process: which are watched, and what happens where one is lost.
#pragma once

#include <string>
#include <vector>

#include "core/record/fingerprint.h"
#include "core/record/measurement.h"
#include "environment/energy/energy_watch.h"
#include "environment/gpu/gpu_watch.h"
#include "launch/process/child_process.h"
#include "launch/replicate/replicate_request.h"

namespace stepgate {

/// The GPUs that the driver is asked about; for an instance, the GPU that it is a part of.
std::vector<std::string> gpu_uuids_of(const LaunchRequest& launch);

/// The GPUs that measured processes use, where the case runs on GPUs and a driver is there; else it watches nothing.
/// Reads them once.
GpuWatch gpu_watch_of(const ReplicateRequest& request, const ProcessRequest& process);

/// The energy of these GPUs and of the CPU packages, of a process of group timed.
EnergyWatch energy_watch_of(const ReplicateRequest& request, const ProcessRequest& process);

/// A process that lost its GPU has failed, even if it reports a skip or a clean end. "": nothing was lost.
void add_lost_gpu(const std::string& sentence, Replicate& replicate);

/// Of a process whose GPUs were watched: counts faults that no program causes as evidence (gpu_xid_errors), absent with
/// the reason where the driver did not tell. A process that failed meanwhile, or lost its GPU,
/// failed because of them: FailureKind::infrastructure.
void add_gpu_faults(const GpuAnswer<std::vector<GpuFault>>& faults, Replicate& replicate);

/// Adds how the GPUs and the libraries on them are set, where the case runs on GPUs.
void add_gpu_facts(const LaunchRequest& request, Fingerprint& facts);

}  // namespace stepgate
