// What a program may ask of a launch besides its grid and block.
#pragma once

#include <cuda_runtime_api.h>

#include "emulator/model/device_model.h"
#include "emulator/runtime/work/kernel_launch.h"

namespace stepgate::emulator {

/// Reads the attributes of the configuration into `launch`. Ends the process where one is not modelled.
cudaError_t apply_attributes(const DeviceModel& model, const cudaLaunchConfig_t& config, KernelLaunch& launch);

}  // namespace stepgate::emulator
