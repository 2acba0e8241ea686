// Which GPUs measured processes get: what the driver lists, and what the environment says of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "environment/gpu/gpu_offer.h"

namespace stepgate {

/// Pure. `listed`: what this process may open, by NVML. `environment`: variables by name. The first of these decides:
///
/// - CTEST_RESOURCE_GROUP_<n>_GPUS, where CTest gives resources (resource_ids.h says what an id means). The GPUs must
///   be among those that CUDA_VISIBLE_DEVICES offers.
/// - CUDA_VISIBLE_DEVICES, as CUDA reads it (visible_devices.h).
/// - SLURM_STEP_GPUS, SLURM_JOB_GPUS: indices of the host. If a cgroup hides the others, `listed` holds exactly the
///   job's GPUs, and all of them are meant.
/// - GPU_DEVICE_ORDINAL: indices among `listed`.
/// - nothing: all of `listed`.
///
/// An index counts GPUs by PCI address. CUDA counts so with CUDA_DEVICE_ORDER=PCI_BUS_ID, and by speed otherwise, which
/// is the same where all GPUs are alike; where they differ, and where MIG splits one, only the child can say. One GPU
/// with one instance is that instance.
GpuOffer offered_gpus(const std::vector<Gpu>& listed, const std::map<std::string, std::string>& environment);

/// The GPUs of one case.
struct GpuChoice {
  std::vector<ChosenGpu> gpus = {};  ///< as many as wanted; empty: the child says, or there are too few
  std::string too_few = {};          ///< "needs 2 GPUs, this machine offers 1 (CUDA_VISIBLE_DEVICES=2)"; else ""
};

/// Pure. The first `wanted` GPUs of the offer.
GpuChoice choose_gpus(const GpuOffer& offer, std::int64_t wanted);

}  // namespace stepgate
