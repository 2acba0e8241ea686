// The library that gives operators their values, and what the runtime does for it.
#pragma once

#include <string>
#include <string_view>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

/// Opens the library in the folder of the shims. Called in values mode, when the machine is made: LibTorch is in the
/// process by then, and no operator has run on a device. Returns why it could not be opened, "" for success.
std::string open_value_library(const std::string& folder);

/// Tells the library of a call of this thread; does nothing where it is not open.
void tell_value_library();

/// Whether the thread runs the CUDA code of an operator with values.
bool is_in_operator();

/// Before a kernel is launched. In values mode one outside of operators ends the process: nothing would write what it
/// writes. `kernel`: its mangled name.
void check_kernel(ValueMode mode, std::string_view kernel);

/// Before a copy. Ends the process where an operator reads a device's memory that has no values yet. Puts the number
/// there that the operator would read, where the library has told one.
void check_copy(const Caller& caller, const CopyRequest& request);

}  // namespace stepgate::emulator
