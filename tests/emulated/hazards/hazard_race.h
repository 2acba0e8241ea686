// What the planted races of LibTorch share.
#pragma once

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>
#include <vector>

namespace stepgate {

/// The two lines of a race end with "// earlier" and "// later"; hazards_test.py looks for both.
struct HazardRace {
  const char* name;
  void (*run)(bool is_ordered);  ///< as it is, or with what orders it
};

/// Work of several streams, and events.
std::vector<HazardRace> stream_races();
/// Memory that is used again, graphs, page-locked memory.
std::vector<HazardRace> memory_races();

constexpr std::int64_t race_elements = 4096;

inline c10::cuda::CUDAStream new_stream() { return c10::cuda::getStreamFromPool(); }
inline at::Tensor on_device() { return at::zeros({race_elements}, at::kCUDA); }
inline at::Tensor page_locked() { return at::zeros({race_elements}, at::TensorOptions().pinned_memory(true)); }
inline void end_all() { c10::cuda::device_synchronize(); }

/// What is queued in `later` comes after what `earlier` holds.
inline void order(const c10::cuda::CUDAStream& later, const c10::cuda::CUDAStream& earlier) {
  at::cuda::CUDAEvent event;
  event.record(earlier);
  event.block(later);
}

}  // namespace stepgate
