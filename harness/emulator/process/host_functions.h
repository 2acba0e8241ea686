// Functions of the program in its streams.
#pragma once

namespace stepgate::emulator {

/// Called when the program has given one. The first call of a process starts the thread that runs them where the
/// program waits without a call (machine/host_function_thread.h). It lives until the process ends.
void run_host_functions();

}  // namespace stepgate::emulator
