// The memory that a program gives a collective.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "emulator/memory/device_memory.h"

namespace stepgate::emulator {

struct NcclBuffer {
  const void* address = nullptr;
  std::uint64_t bytes = 0;
};

/// The block around an address; absent for memory that the machine does not know.
using FindBlock = std::function<std::optional<MemoryBlock>(const void*)>;

/// Whether the device of a rank reaches each byte: memory of that device, managed memory, or page-locked memory of the
/// host. A buffer may go on in the next block, as in mapped ranges; what is mapped there counts once it may be used.
bool is_reachable(const FindBlock& find, const NcclBuffer& buffer, int device);

}  // namespace stepgate::emulator
