// The statistics of LibTorch's device and host allocators that say whether they ran out, waited or pinned anew.
#pragma once

#include <c10/core/Device.h>

#include "measure/device/allocator_health.h"

namespace stepgate {

/// Takes the allocators' locks and asks the driver for its free memory: never inside a timed window.
AllocatorHealth read_allocator_health(c10::DeviceIndex device);

}  // namespace stepgate
