// Where in the program's own file the calls of this thread are.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate::emulator {

/// Innermost first: addresses as in the file, each inside its call instruction. Libraries are left out. At most 16.
std::vector<std::uint64_t> program_offsets();

}  // namespace stepgate::emulator
