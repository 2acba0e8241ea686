#include "measure/device/batch_copier.h"

#include <ATen/record_function.h>

namespace stepgate {

torch::Tensor DeviceBuffers::shaped_like(const torch::Tensor& host, std::size_t index) {
  if (index >= buffers_.size()) buffers_.resize(index + 1);
  Buffer& buffer = buffers_[index];
  const bool same_type = buffer.storage.defined() && buffer.storage.scalar_type() == host.scalar_type();
  if (same_type && buffer.view.sizes() == host.sizes()) return buffer.view;
  // Reshaping a buffer is the harness's own work, so it must not count as an operator of the workload.
  const at::DisableRecordFunctionGuard unrecorded;
  if (!same_type || buffer.storage.numel() < host.numel()) {
    buffer.view.reset();
    buffer.storage = torch::empty({host.numel()}, torch::dtype(host.scalar_type()).device(device_));
  }
  buffer.view = buffer.storage.narrow(0, 0, host.numel()).view(host.sizes());
  return buffer.view;
}

}  // namespace stepgate
