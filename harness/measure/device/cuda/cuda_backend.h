// An NVIDIA GPU as a device: timing events on two streams, and the caching allocator's own statistics.
#pragma once

#include <memory>

#include "measure/device/backend.h"
#include "measure/device/cuda/cuda_streams.h"

namespace stepgate {

/// Makes `device` the current device. Returns its current stream and a separate stream for copies.
CudaStreams open_cuda_streams(c10::DeviceIndex device);

/// Event resolution is about 0.5 us (CUDA documentation). Statistics are host-side: reading them never waits.
std::unique_ptr<Backend> make_cuda_backend(const CudaStreams& streams);

}  // namespace stepgate
