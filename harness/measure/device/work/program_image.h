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

/// The program's own calls on this thread's stack, innermost first: return addresses in the file, each minus 1, so that
/// it lies inside its call. Throws c10::Error where LibTorch cannot unwind; empty where it finds no call stack.
std::vector<std::uint64_t> own_calls_on_stack(const ProgramImage& image);

}  // namespace stepgate
