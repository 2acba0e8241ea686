// The running program's own file in memory: which program counters lie in its code.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stepgate {

struct ProgramImage {
  std::uintptr_t load_base = 0;                                 ///< address in memory minus address in the file
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> code;  ///< begin and end of each executable segment, in memory
  std::string build_id;                                         ///< hexadecimal; "" if the linker wrote none

  bool holds(std::uintptr_t address) const {
    for (const auto& [begin, end] : code) {
      if (address >= begin && address < end) return true;
    }
    return false;
  }
};

/// The image of the program itself, without its libraries.
ProgramImage program_image();

}  // namespace stepgate
