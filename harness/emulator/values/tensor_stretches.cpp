#include "emulator/values/tensor_stretches.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stepgate::emulator {
namespace {

struct StridedDimension {
  std::int64_t size = 0;
  std::int64_t stride_bytes = 0;
};

/// Those that move through the memory, the narrowest first.
std::vector<StridedDimension> moving_dimensions(const at::Tensor& tensor) {
  std::vector<StridedDimension> dimensions;
  const auto element_bytes = static_cast<std::int64_t>(tensor.itemsize());
  for (std::int64_t at = 0; at < tensor.dim(); ++at) {
    const auto place = static_cast<std::size_t>(at);
    const StridedDimension dimension{tensor.sizes()[place], tensor.strides()[place] * element_bytes};
    if (dimension.size > 1 && dimension.stride_bytes > 0) dimensions.push_back(dimension);
  }
  std::sort(dimensions.begin(), dimensions.end(), [](const StridedDimension& one, const StridedDimension& other) {
    return one.stride_bytes < other.stride_bytes;
  });
  return dimensions;
}

}  // namespace

void add_stretches(MemoryAccesses& accesses, const at::Tensor& tensor, bool writes) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.numel() == 0) return;
  const auto* const memory = static_cast<const char*>(tensor.storage().data());
  if (memory == nullptr) return;
  const auto element_bytes = static_cast<std::int64_t>(tensor.itemsize());
  const char* const first = memory + tensor.storage_offset() * element_bytes;
  std::int64_t run_bytes = element_bytes;  // without a gap
  std::int64_t reach_bytes = element_bytes;
  std::int64_t pieces = 1;
  std::vector<StridedDimension> outer;
  for (const StridedDimension& dimension : moving_dimensions(tensor)) {
    const std::int64_t more_bytes = (dimension.size - 1) * dimension.stride_bytes;
    reach_bytes += more_bytes;
    if (outer.empty() && dimension.stride_bytes <= run_bytes) {
      run_bytes += more_bytes;
      continue;
    }
    outer.push_back(dimension);
    pieces = std::min(pieces * std::min(dimension.size, most_pieces + 1), most_pieces + 1);
  }
  if (pieces > most_pieces) {
    accesses.push_back({first, static_cast<std::uint64_t>(reach_bytes), writes, true});
    return;
  }
  std::vector<std::int64_t> offsets = {0};
  for (const StridedDimension& dimension : outer) {
    const std::size_t before = offsets.size();
    for (std::int64_t step = 1; step < dimension.size; ++step) {
      for (std::size_t at = 0; at < before; ++at) offsets.push_back(offsets[at] + step * dimension.stride_bytes);
    }
  }
  for (const std::int64_t offset : offsets) {
    accesses.push_back({first + offset, static_cast<std::uint64_t>(run_bytes), writes, false});
  }
}

}  // namespace stepgate::emulator
