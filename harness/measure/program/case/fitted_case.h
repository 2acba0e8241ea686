// A case as it runs on the device that was opened for it.
#pragma once

#include "measure/device/device_side.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// `asked` with what follows from the device: the amounts of the reference case. Throws DeviceMissing, which skips the
/// case, where a part that it needs is missing, or the memory that it declares to need is not free on the device.
Case fitted_to(const DeviceSide& device, Case asked);

}  // namespace stepgate
