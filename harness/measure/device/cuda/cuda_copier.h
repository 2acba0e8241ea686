// Host-to-device copies on a separate stream, parallel to the compute of the previous step (docs/design/measurement.md,
// "Copies to the device").
#pragma once

#include <memory>

#include "measure/device/batch_copier.h"
#include "measure/device/cuda/cuda_streams.h"

namespace stepgate {

/// Copies into one of two sets of fixed device buffers. It does not block if the source is pinned. The compute stream
/// waits for the copy, and a copy waits for the step that last read its buffers; the host waits for neither.
std::unique_ptr<BatchCopier> make_cuda_copier(const CudaStreams& streams);

}  // namespace stepgate
