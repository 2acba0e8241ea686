// Everything that depends on the device of a case, selected at run time by the device's name.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/record/fingerprint.h"
#include "measure/device/backend.h"
#include "measure/device/batch_copier.h"
#include "measure/device/gpu_properties.h"
#include "measure/device/work/device_work_trace.h"
#include "measure/device/work/work_counter.h"

namespace stepgate {

class CountingAllocator;

class DeviceSide {
 public:
  virtual ~DeviceSide() = default;
  virtual torch::Device device() const = 0;
  /// `allocator` counts CPU tensors in exact passes, else nullptr. On a GPU its own allocator counts.
  virtual std::unique_ptr<Backend> make_backend(CountingAllocator* allocator) = 0;
  virtual std::unique_ptr<BatchCopier> make_copier() = 0;
  virtual std::unique_ptr<WorkCounter> make_counter() = 0;
  /// Gives memory that nobody uses back to the device, so that reserved memory does not stem from an earlier workload.
  /// Does nothing where the allocator keeps none.
  virtual void release_cached_memory() {}
  /// When the device works, from its own records; or why that cannot be known.
  virtual std::variant<std::unique_ptr<DeviceWorkTrace>, std::string> make_work_trace() = 0;
  /// True if page-locked host memory exists.
  virtual bool can_pin() const = 0;
  /// Queues a copy of each tensor into its target of equal shape and dtype, on the copy stream if there is one. Sources
  /// must live until the device has finished the copies.
  virtual void copy_tensors(const std::vector<torch::Tensor>& from, const std::vector<torch::Tensor>& to) = 0;
  /// The highest rate of the link between host and device; absent if unknown or if there is no link.
  virtual std::optional<std::int64_t> link_bytes_per_s() const = 0;
  /// Facts of this device: gpu, gpu_pci_bus_id, cuda_runtime, cudnn; empty on cpu.
  virtual Fingerprint facts() const = 0;
  /// Absent on a CPU.
  virtual std::optional<GpuProperties> gpu_properties() const { return std::nullopt; }
  /// Memory of the GPU, as its driver reports it now: other processes are counted as well. Absent on a CPU.
  virtual std::optional<DeviceCapacity> memory() const { return std::nullopt; }
  /// Metrics that this device cannot measure, and why.
  virtual std::map<std::string, std::string> absent_exact_metrics() const = 0;
  virtual std::map<std::string, std::string> absent_timed_metrics() const = 0;

 protected:
  DeviceSide() = default;
  DeviceSide(const DeviceSide&) = default;
  DeviceSide& operator=(const DeviceSide&) = default;
};

/// The device's counter with an observer of each operator call (measure/device/work/observed_counter.h). `parameters`
/// is asked when counting starts. `backend` must outlive the counter.
std::unique_ptr<WorkCounter> make_observed_counter(DeviceSide& device, Backend& backend,
                                                   std::function<std::vector<torch::Tensor>()> parameters);

/// Thrown if this machine has no such device, or lacks another part that a case needs: a case for it is skipped (exit
/// 77) and does not fail.
class DeviceMissing : public Error {
 public:
  using Error::Error;
};

/// Thrown if the CUDA runtime offers this process no device, or a rank none. The launcher fails the case where it gave
/// it one.
class NoCudaDevice : public DeviceMissing {
 public:
  using DeviceMissing::DeviceMissing;
};

/// Thrown if a case needs more memory than its GPU has: it is skipped also where GPUs are required.
class GpuTooSmall : public DeviceMissing {
 public:
  using DeviceMissing::DeviceMissing;
};

/// `name` is "cpu" or "cuda", `index` the number of a visible GPU: each of several ranks has its own. Throws
/// Error(usage) for another name, DeviceMissing if there is no such GPU.
std::unique_ptr<DeviceSide> open_device(const std::string& name, std::int64_t index = 0);

/// Throws DeviceMissing if this LibTorch was built without CUDA, NoCudaDevice if there is none or if there are fewer,
/// Error(measure) with the runtime's text if CUDA is broken here.
std::unique_ptr<DeviceSide> open_cuda_side(std::int64_t index);

}  // namespace stepgate
