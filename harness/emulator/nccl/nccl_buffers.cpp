#include "emulator/nccl/nccl_buffers.h"

#include <algorithm>
#include <cstddef>

namespace stepgate::emulator {
namespace {

bool is_of_device(const MemoryBlock& block, int device) {
  return !is_device_side(&block) || block.kind == MemoryKind::managed || block.device == device;
}

}  // namespace

bool is_reachable(const FindBlock& find, const NcclBuffer& buffer, int device) {
  const auto* at = static_cast<const std::byte*>(buffer.address);
  for (std::uint64_t left = buffer.bytes; left > 0;) {
    const std::optional<MemoryBlock> block = find(at);
    if (!block || !block->has_access || !is_of_device(*block, device)) return false;
    const auto before = static_cast<std::uint64_t>(at - static_cast<const std::byte*>(block->address));
    const std::uint64_t here = std::min(left, block->bytes - before);
    if (here == 0) return false;
    at += here;
    left -= here;
  }
  return true;
}

}  // namespace stepgate::emulator
