#include "measure/device/batch_copier.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <utility>

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
    buffer.spares.clear();
    buffer.storage = torch::empty({host.numel()}, torch::dtype(host.scalar_type()).device(device_));
  }
  buffer.view = buffer.storage.narrow(0, 0, host.numel()).view(host.sizes());
  return buffer.view;
}

torch::Tensor DeviceBuffers::like(const torch::Tensor& storage) const {
  return torch::empty({storage.numel()}, torch::dtype(storage.scalar_type()).device(device_));
}

void DeviceBuffers::replace(std::size_t index) {
  const at::DisableRecordFunctionGuard unrecorded;
  Buffer& buffer = buffers_[index];
  const std::vector<std::int64_t> sizes = buffer.view.sizes().vec();
  const std::int64_t elements = buffer.view.numel();
  buffer.view.reset();
  if (buffer.spares.empty()) {
    buffer.storage = like(buffer.storage);
  } else {
    buffer.storage = std::move(buffer.spares.back());
    buffer.spares.pop_back();
  }
  buffer.view = buffer.storage.narrow(0, 0, elements).view(sizes);
}

void DeviceBuffers::make_spares(std::size_t index, std::size_t count) {
  const at::DisableRecordFunctionGuard unrecorded;
  Buffer& buffer = buffers_[index];
  while (buffer.spares.size() < count) buffer.spares.push_back(like(buffer.storage));
}

}  // namespace stepgate
