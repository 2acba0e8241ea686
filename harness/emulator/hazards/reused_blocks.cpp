#include "emulator/hazards/reused_blocks.h"

#include <iterator>

namespace stepgate::emulator {

void ReusedBlocks::hand_out(const void* address, std::uint64_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = begin + bytes;
  auto at = blocks_.lower_bound(begin);
  if (at != blocks_.begin() && std::prev(at)->second.end > begin) --at;
  while (at != blocks_.end() && at->first < end) at = blocks_.erase(at);
  blocks_[begin] = {end, ++handed_out_};
}

std::uint64_t ReusedBlocks::number_at(const void* address) const {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const auto next = blocks_.upper_bound(place);
  if (next == blocks_.begin()) return 0;
  const auto block = std::prev(next);
  return place < block->second.end ? block->second.number : 0;
}

}  // namespace stepgate::emulator
