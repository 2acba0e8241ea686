// Calls of CUDA as CUPTI's callbacks report them. Never in one process with LibTorch's profiler.
#pragma once

#include <functional>

#include "measure/device_check/probe_device.h"

namespace stepgate {

/// Calls that wait for the device, allocate on it or free there. Throws ProbeRefusal where CUPTI refuses.
std::int64_t cuda_waits_during(const std::function<void()>& body);

/// Work of a warm step of CudaProbeTraining. Throws ProbeRefusal where CUPTI refuses.
ProbeWork cuda_step_counted_by_cupti();

}  // namespace stepgate
