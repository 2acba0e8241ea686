#include "measure/device/cuda/cuda_allocator_health.h"

#include <ATen/core/CachingHostAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>

#include <algorithm>

#include "measure/device/cuda/cuda_allocator.h"

namespace stepgate {
namespace {

constexpr std::size_t both_pools = 0;  ///< StatArray entry for both the small and the large pool
constexpr std::int64_t ns_per_us = 1000;

/// Pinned bytes in use and cached. LibTorch renamed the statistic that holds their sum; the name for it goes first.
template <typename Stats>
const auto& pinned_level(const Stats& stats) {
  if constexpr (requires { stats.reserved_bytes; }) {
    return stats.reserved_bytes;
  } else {
    return stats.allocated_bytes;
  }
}

void add_host_allocator(AllocatorHealth& health) {
  const auto host = at::getHostAllocator(at::kCUDA)->get_stats();
  health.pinned_allocations = host.num_host_alloc;
  health.pinned_ns = (host.host_alloc_time.total + host.host_free_time.total) * ns_per_us;
  health.pinned_bytes = pinned_level(host).current;
  health.peak_pinned_bytes = pinned_level(host).peak;
}

}  // namespace

AllocatorHealth read_allocator_health(c10::DeviceIndex device) {
  const auto found = c10::cuda::CUDACachingAllocator::getDeviceStats(device);
  AllocatorHealth health;
  health.why_absent = why_no_figure_of_allocator();
  if (health.why_absent.empty()) {
    health.retries = found.num_alloc_retries;
    health.ooms = found.num_ooms;
    health.stream_syncs = found.num_sync_all_streams;
  }
  add_host_allocator(health);
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));  // memory of the current device, which this process set
  const auto used = static_cast<std::int64_t>(total_bytes - free_bytes);
  health.outside_bytes = std::max<std::int64_t>(0, used - found.reserved_bytes[both_pools].current);
  return health;
}

}  // namespace stepgate
