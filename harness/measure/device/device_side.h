// Everything that depends on where a case runs, made at run time from the name of the device.
#pragma once

#include <torch/torch.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/record/fingerprint.h"
#include "measure/device/backend.h"
#include "measure/device/batch_copier.h"
#include "measure/device/work_counter.h"

namespace stepgate {

class CountingAllocator;

class DeviceSide {
 public:
  virtual ~DeviceSide() = default;
  virtual torch::Device device() const = 0;
  /// `allocator` counts CPU tensors in exact passes, else nullptr; a GPU's own allocator counts there.
  virtual std::unique_ptr<Backend> make_backend(CountingAllocator* allocator) = 0;
  virtual std::unique_ptr<BatchCopier> make_copier() = 0;
  virtual std::unique_ptr<WorkCounter> make_counter() = 0;
  /// Whether page-locked host memory exists here.
  virtual bool can_pin() const = 0;
  /// Queues copies of each tensor into its target, of equal shape and dtype, on the copy stream where there is one.
  /// Sources must live until the device is through with them.
  virtual void copy_tensors(const std::vector<torch::Tensor>& from, const std::vector<torch::Tensor>& to) = 0;
  /// What the link between host and device carries at most; absent where unknown or where there is none.
  virtual std::optional<std::int64_t> link_bytes_per_s() const = 0;
  /// What is true of this device: gpu, gpu_pci_bus_id, cuda_runtime, cudnn; empty on cpu.
  virtual Fingerprint facts() const = 0;
  /// Metrics that cannot be had here, and why.
  virtual std::map<std::string, std::string> absent_exact_metrics() const = 0;
  virtual std::map<std::string, std::string> absent_timed_metrics() const = 0;

 protected:
  DeviceSide() = default;
  DeviceSide(const DeviceSide&) = default;
  DeviceSide& operator=(const DeviceSide&) = default;
};

/// This machine has no such device: a case for it is skipped (exit 77) and does not fail.
class DeviceMissing : public Error {
 public:
  using Error::Error;
};

/// `name` is "cpu" or "cuda", `index` the GPU among those visible: each of several ranks has one of its own. Throws
/// Error(usage) for another name, DeviceMissing where there is no such GPU.
std::unique_ptr<DeviceSide> open_device(const std::string& name, std::int64_t index = 0);

/// Throws DeviceMissing where there are not that many GPUs, or where this LibTorch was built without CUDA.
std::unique_ptr<DeviceSide> open_cuda_side(std::int64_t index);

}  // namespace stepgate
