// What the CUDA code of an operator with values may do.
#pragma once

#include <string_view>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

/// Whether the thread runs the CUDA code of an operator with values.
bool is_in_operator();

/// Before a kernel is launched. In values mode one outside of operators ends the process: nothing would write what it
/// writes. `kernel`: its mangled name.
void check_kernel(ValueMode mode, std::string_view kernel);

/// Before a copy. Ends the process where an operator reads a device's memory that has no values yet. Puts the number
/// there that the operator would read, where the library has told one.
void check_copy(const Caller& caller, const CopyRequest& request);

}  // namespace stepgate::emulator
