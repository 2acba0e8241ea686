// Asks the CUDA runtime for its devices, without LibTorch, which hides the error behind a warning.
#pragma once

#include "measure/device/cuda_state.h"

namespace stepgate {

/// Makes no context.
CudaAnswer ask_for_devices();

/// Makes the context of one device, so that an error of this device shows now and not in the first pass.
CudaAnswer ask_for_device(int index);

}  // namespace stepgate
