// CUDA as a DeviceQueue: LibTorch's streams, events and allocators.
#pragma once

#include <c10/core/Device.h>
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "measure/device/cuda/cuda_streams.h"
#include "measure/device/device_queue.h"

namespace stepgate {

/// Makes `index`, which counts the visible GPUs, the current device. Returns its current stream and a separate stream
/// for copies.
CudaStreams open_cuda_streams(c10::DeviceIndex index);

/// `streams` are of one device.
std::unique_ptr<DeviceQueue> make_cuda_queue(const CudaStreams& streams);

/// A tensor of the shape, dtype and layout of `host`, which is dense, over memory of a CUDA queue, which it keeps
/// alive. `memory` may be nullptr where `host` has no elements. Not recorded as an operator.
torch::Tensor view_like(const torch::Tensor& host, const DeviceMemory& memory);

/// Host tensors as a copy reads them: dense, in any layout. `tensors` keeps the memory of `bytes`.
struct PackedTensors {
  std::vector<torch::Tensor> tensors;
  std::vector<HostBytes> bytes;
};
PackedTensors packed(const std::vector<torch::Tensor>& host);

}  // namespace stepgate
