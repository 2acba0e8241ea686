// The GPUs that a measured process found, where the launcher could not choose them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/process_place.h"
#include "core/record/measurement.h"
#include "launch/launch_request.h"

namespace stepgate {

/// The PCI addresses in its record, as the kernel writes them, one for each rank. Empty where it says none.
std::vector<std::string> bus_ids_of(const RunRecord& record);

/// What the next processes of the same measurement are pinned to; `problem` instead where the record names a GPU that
/// the driver does not list.
struct FoundGpus {
  std::vector<ChosenGpu> gpus = {};
  std::string problem = {};
};

/// Pure. A GPU that MIG splits is watched, but its UUID would not say which instance, so that `visible` is "".
FoundGpus found_gpus(const std::vector<std::string>& bus_ids, const std::vector<Gpu>& listed);

/// found_gpus() of a process that was given none, with the driver of `request`. Nothing if there is no record or no
/// driver to ask. A record with a problem is replaced by a failure.
std::vector<ChosenGpu> take_found_gpus(const LaunchRequest& request, Replicate& done);

/// Pure. The launcher gave the process these GPUs, which the driver lists. If the process ended since CUDA offers it no
/// device at all, the GPU, the driver or the visibility is broken: that is a failure, with both facts in its message.
std::optional<ReplicateFailure> lost_gpu(const std::vector<ChosenGpu>& given, const std::vector<ProcessPlace>& places);

/// Pure. A rank ended because its case needs more memory than its GPU has.
bool is_gpu_too_small(const std::vector<ProcessPlace>& places);

/// For CUDA_VISIBLE_DEVICES: "GPU-1,GPU-2"; "" where one of them has no name.
std::string visible_text(const std::vector<ChosenGpu>& gpus);

}  // namespace stepgate
