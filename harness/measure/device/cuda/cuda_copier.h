// Host-to-device copies on a separate stream, parallel to the compute of the previous step (docs/design/measurement.md,
// "Copies to the device"): the tensors around SlotCopier.
#pragma once

#include <memory>

#include "measure/device/batch_copier.h"
#include "measure/device/device_queue.h"

namespace stepgate {

/// `queue` is one of make_cuda_queue() and must outlive the copier. A copy does not block if its source is pinned.
std::unique_ptr<BatchCopier> make_cuda_copier(DeviceQueue& queue);

}  // namespace stepgate
