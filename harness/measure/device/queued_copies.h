// Copies of several blocks of host memory to a device: a batch, or one trial of the h2d pass.
#pragma once

#include <span>

#include "measure/device/device_queue.h"

namespace stepgate {

/// Queues a copy of each of `from` into its target on the copy stream; blocks without bytes are left out. Returns
/// true if all sources may be freed at once (DeviceQueue::copy_to_device).
bool queue_copies(DeviceQueue& queue, std::span<const HostBytes> from, std::span<const DeviceBlock> to, CallSite site);

}  // namespace stepgate
