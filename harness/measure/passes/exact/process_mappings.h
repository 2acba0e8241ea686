// Reads /proc/PID/maps: which memory a process has mapped.
#pragma once

#include <cstdint>
#include <string_view>

#include "measure/passes/exact/held_things.h"

namespace stepgate {

/// Not counted is what grows without anything being kept: reserves without any access, the main thread's stack, code
/// that a library makes at run time (oneDNN, for each new shape), and devices, which their drivers map.
struct MappedMemory {
  std::int64_t bytes = 0;
  std::int64_t files = 0;  ///< mappings with the name of a file
};

/// `with_anonymous`: false counts only mappings of files.
MappedMemory mapped_memory(std::string_view maps, bool with_anonymous);

/// The counted mappings by name, with their bytes, except the heap of malloc.
HeldThings mapped_bytes_by_name(std::string_view maps, bool with_anonymous);

/// The counted mappings of files, with their number.
HeldThings mapped_files_by_name(std::string_view maps);

}  // namespace stepgate
