// The GPU of this process as the checks of stepgate_device_check see it, through LibTorch and CUDA.
#pragma once

#include <memory>

#include "measure/device_check/probe_device.h"

namespace stepgate {

/// The first visible GPU. Throws ProbeMissing where there is none or no driver, any other exception where it does not
/// open.
std::unique_ptr<ProbeDevice> open_cuda_probe();

}  // namespace stepgate
