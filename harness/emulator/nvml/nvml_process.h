// The NVML state of this process, over its machine.
#pragma once

#include "emulator/nvml/nvml_devices.h"
#include "emulator/nvml/nvml_events.h"

namespace stepgate::emulator {

/// Made at the first call; lives until the process ends.
NvmlDevices& process_nvml();
NvmlEvents& process_nvml_events();

}  // namespace stepgate::emulator
