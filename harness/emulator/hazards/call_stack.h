// Where in the program a call was made.
#pragma once

#include <cstdint>
#include <vector>

namespace stepgate::emulator {

/// Return addresses of this thread's stack that lie in the program's own file, innermost first, as offsets of that
/// file: each is of the call itself. Frames of libraries are left out.
std::vector<std::uint64_t> program_offsets();

}  // namespace stepgate::emulator
