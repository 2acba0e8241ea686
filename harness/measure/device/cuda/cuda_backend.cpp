#include "measure/device/cuda/cuda_backend.h"

#include <ATen/cuda/Sleep.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "measure/device/cuda/cuda_memory_tap.h"

namespace stepgate {
namespace {

using c10::cuda::CUDAEvent;
using c10::cuda::CUDAStream;

constexpr std::size_t aggregate = 0;  ///< StatArray entry for both the small and the large pool
constexpr double ns_per_ms = 1e6;
/// About 0.3 ms at 1.7 GHz: longer than queueing the 64 copies of the widest layout, at 2 to 4 us each.
constexpr std::int64_t occupied_cycles = 500'000;

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(const CudaStreams& streams) : streams_(streams), device_(streams.compute.device_index()) {}

  std::string_view clock_name() const override { return "cuda_events+steady_clock"; }

  std::int64_t now_ns() override {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
  }

  void synchronize() override { c10::cuda::device_synchronize(); }
  bool has_device_events() const override { return true; }

  void reserve_events(std::size_t count) override {
    while (events_.size() < count) {
      // The default flag of this class disables timing (docs/design/measurement.md, "Marks and device events").
      // The first record creates the handle.
      events_.emplace_back(cudaEventDefault);
      events_.back().record(streams_.compute);
    }
    synchronize();
  }

  void record_event(std::size_t slot, Stream stream) override {
    events_[slot].record(stream == Stream::compute ? streams_.compute : streams_.copy);
  }

  std::int64_t elapsed_ns(std::size_t from, std::size_t to) override {
    return std::llround(static_cast<double>(events_[from].elapsed_time(events_[to])) * ns_per_ms);
  }

  void occupy(Stream stream) override {
    const c10::cuda::CUDAStreamGuard on_stream(stream == Stream::compute ? streams_.compute : streams_.copy);
    at::cuda::sleep(occupied_cycles);
  }

  MemoryStats memory() override {
    const auto found = c10::cuda::CUDACachingAllocator::getDeviceStats(device_);
    MemoryStats stats;
    stats.allocated_bytes = found.allocated_bytes[aggregate].current;
    stats.requested_live_bytes = found.requested_bytes[aggregate].current;
    stats.active_bytes = found.active_bytes[aggregate].current;
    stats.peak_allocated_bytes = found.allocated_bytes[aggregate].peak;
    stats.peak_requested_bytes = found.requested_bytes[aggregate].peak;
    stats.allocations = found.allocation[aggregate].allocated;
    stats.requested_bytes = found.requested_bytes[aggregate].allocated;
    stats.reserved_bytes = found.reserved_bytes[aggregate].current;
    stats.peak_reserved_bytes = found.reserved_bytes[aggregate].peak;
    stats.device_mallocs = found.num_device_alloc;
    return stats;
  }

  void reset_peak() override { c10::cuda::CUDACachingAllocator::resetPeakStats(device_); }
  bool trace_memory(MemoryTrace* trace) override {
    if (!tap_) tap_ = open_cuda_memory_tap(device_);
    tap_->follow(trace);
    return true;
  }
  std::optional<std::int64_t> minor_faults() override { return std::nullopt; }
  bool simulated_h2d() const override { return false; }

 private:
  CudaStreams streams_;
  c10::DeviceIndex device_;
  std::vector<CUDAEvent> events_;
  std::shared_ptr<CudaMemoryTap> tap_;  ///< exists after the first trace
};

}  // namespace

CudaStreams open_cuda_streams(c10::DeviceIndex device) {
  // Statistics may be read before the first tensor exists, and the allocator must know its devices before that.
  c10::cuda::CUDACachingAllocator::init(c10::cuda::device_count());
  c10::cuda::set_device(device);
  return {c10::cuda::getCurrentCUDAStream(device), c10::cuda::getStreamFromPool(false, device)};
}

std::unique_ptr<Backend> make_cuda_backend(const CudaStreams& streams) {
  return std::make_unique<CudaBackend>(streams);
}

}  // namespace stepgate
