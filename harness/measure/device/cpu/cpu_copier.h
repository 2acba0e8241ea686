// "H2D" on a machine without a device: a real copy into fixed buffers, so that the boundary's time depends on the
// bytes.
#pragma once

#include <memory>

#include "measure/device/batch_copier.h"

namespace stepgate {

std::unique_ptr<BatchCopier> make_cpu_copier();

}  // namespace stepgate
