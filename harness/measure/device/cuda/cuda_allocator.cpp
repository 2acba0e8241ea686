#include "measure/device/cuda/cuda_allocator.h"

#include <c10/cuda/CUDACachingAllocator.h>

namespace stepgate {

bool is_native_allocator() { return c10::cuda::CUDACachingAllocator::name() == "native"; }

const std::string& why_no_figure_of_allocator() {
  static const std::string reason = is_native_allocator() ? ""
                                                          : "LibTorch takes device memory from " +
                                                                c10::cuda::CUDACachingAllocator::name() +
                                                                " (PYTORCH_ALLOC_CONF), which keeps no such figure";
  return reason;
}

std::map<std::string, std::string> metrics_without_allocator() {
  std::map<std::string, std::string> absent;
  if (is_native_allocator()) return absent;
  for (const char* metric :
       {"allocations_per_step", "allocated_bytes_per_step", "loader_allocations_per_batch", "loader_bytes_per_batch"}) {
    absent[metric] = why_no_figure_of_allocator();
  }
  return absent;
}

}  // namespace stepgate
