// "H2D" on a machine without a device: a real copy into fixed buffers, so that its boundary costs what bytes cost.
#pragma once

#include <memory>

#include "measure/device/batch_copier.h"

namespace stepgate {

std::unique_ptr<BatchCopier> make_cpu_copier();

}  // namespace stepgate
