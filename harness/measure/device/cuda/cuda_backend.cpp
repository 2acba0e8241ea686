#include "measure/device/cuda/cuda_backend.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>

#include <memory>
#include <optional>
#include <string>

#include "measure/device/cuda/cuda_allocator.h"
#include "measure/device/cuda/cuda_allocator_health.h"
#include "measure/device/cuda/cuda_memory_tap.h"
#include "measure/device/emulated_gpu.h"
#include "measure/device/queue_backend.h"

namespace stepgate {
namespace {

constexpr std::size_t aggregate = 0;  ///< StatArray entry for both the small and the large pool

class CudaBackend final : public QueueBackend {
 public:
  CudaBackend(DeviceQueue& queue, c10::DeviceIndex device)
      : QueueBackend(queue), device_(device), log_mark_(loaded_log_mark()), own_waits_(loaded_own_waits()) {}

  std::string_view clock_name() const override { return "cuda_events+steady_clock"; }

  void synchronize_after_step() override {
    if (own_waits_ != nullptr) own_waits_(1);
    synchronize();
    if (own_waits_ != nullptr) own_waits_(0);
  }

  MemoryStats memory() override {
    const auto found = c10::cuda::CUDACachingAllocator::getDeviceStats(device_);
    MemoryStats stats;
    stats.allocated_bytes = found.allocated_bytes[aggregate].current;
    stats.active_bytes = found.active_bytes[aggregate].current;
    stats.peak_allocated_bytes = found.allocated_bytes[aggregate].peak;
    stats.reserved_bytes = found.reserved_bytes[aggregate].current;
    stats.peak_reserved_bytes = found.reserved_bytes[aggregate].peak;
    if (!native_) return stats;
    stats.requested_live_bytes = found.requested_bytes[aggregate].current;
    stats.peak_requested_bytes = found.requested_bytes[aggregate].peak;
    stats.allocations = found.allocation[aggregate].allocated;
    stats.requested_bytes = found.requested_bytes[aggregate].allocated;
    stats.device_mallocs = found.num_device_alloc;
    return stats;
  }

  AllocatorHealth allocator_health() override { return read_allocator_health(device_); }
  void reset_peak() override { c10::cuda::CUDACachingAllocator::resetPeakStats(device_); }
  bool trace_memory(MemoryTrace* trace) override {
    if (!native_) return false;
    if (!tap_) tap_ = open_cuda_memory_tap(device_);
    tap_->follow(trace);
    return true;
  }
  void mark_log(const std::string& text) override {
    if (log_mark_ != nullptr) log_mark_(text.c_str());
  }
  std::optional<std::int64_t> minor_faults() override { return std::nullopt; }

 private:
  c10::DeviceIndex device_;
  bool native_ = is_native_allocator();
  LogMark log_mark_;  ///< nullptr on a real GPU
  OwnWaits own_waits_ = nullptr;
  std::shared_ptr<CudaMemoryTap> tap_;  ///< exists after the first trace
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(DeviceQueue& queue, c10::DeviceIndex device) {
  return std::make_unique<CudaBackend>(queue, device);
}

}  // namespace stepgate
