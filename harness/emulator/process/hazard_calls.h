// What the library of the values calls to tell what operators read and write. It is a library of its own, so these are
// C functions, by name.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/work/memory_access.h"

extern "C" {

/// Whether this process looks for hazards. Else the other functions do nothing.
bool stepgate_emulated_seeks_hazards();

/// The calling thread begins an operator: "aten::add". `sequence`: by which its backward names it. `forward_of`: in a
/// backward, that of the forward operator. 0 where there is none.
void stepgate_emulated_begin_operator(const char* name, std::uint64_t sequence, std::uint64_t forward_of);

/// The thread's innermost operator ends. Its kernels, without those of operators that it called, read and write this.
void stepgate_emulated_end_operator(const stepgate::emulator::MemoryAccess* accesses, std::size_t count);

/// The host itself reads and writes this within the innermost operator. Memory that is not page-locked is left out.
void stepgate_emulated_host_accesses(const stepgate::emulator::MemoryAccess* accesses, std::size_t count);

/// A caching allocator gives this memory to a new tensor.
void stepgate_emulated_hand_out(const void* address, std::uint64_t bytes);
}
