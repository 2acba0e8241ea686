#include "emulator/machine/value_room.h"

#include <utility>

namespace stepgate::emulator {

ValueRoom::ValueRoom(const HostRoom& room, std::function<void(const std::string& lack)> refuse)
    : room_(room), refuse_(std::move(refuse)) {}

void ValueRoom::allocated(const MemoryCall& call) {
  if (call.kind == MemoryKind::registered) return;  // the program's own, in any mode
  if (call.is_free) {
    held_bytes_ -= call.bytes;
    return;
  }
  held_bytes_ += call.bytes;
  if (const std::string lack = lack_of_memory(room_, held_bytes_); !lack.empty()) refuse_(lack);
}

}  // namespace stepgate::emulator
