// The library that gives operators their values: how it gets into the process, and how it hears of calls.
#pragma once

#include <string>

namespace stepgate::emulator {

/// Opens the library in the folder of the shims. Called in values mode and where hazards are looked for, when the
/// machine is made: LibTorch is in the process by then, and no operator has run on a device. Returns why it could not
/// be opened, "" for success.
std::string open_value_library(const std::string& folder);

/// From now on `call` is called at each call of the runtime, of its thread.
void watch_calls(void (*call)());

/// Tells the library of a call of this thread; does nothing where it is not open.
void tell_value_library();

}  // namespace stepgate::emulator
