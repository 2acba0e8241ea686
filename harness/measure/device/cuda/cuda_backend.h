// An NVIDIA GPU as a device: timing events on two streams, and the caching allocator's own statistics.
#pragma once

#include <c10/core/Device.h>

#include <memory>

#include "measure/device/backend.h"
#include "measure/device/device_queue.h"

namespace stepgate {

/// Event resolution is about 0.5 us (CUDA documentation). Statistics are host-side: reading them never waits. `queue`
/// is one of make_cuda_queue() on `device` and must outlive the backend.
std::unique_ptr<Backend> make_cuda_backend(DeviceQueue& queue, c10::DeviceIndex device);

}  // namespace stepgate
