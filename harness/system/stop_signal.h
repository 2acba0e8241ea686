// The signal that asked this process to end.
#pragma once

#include <atomic>

namespace stepgate {

/// Number of the last signal that a handler stored here (cli/interrupt.h); 0: none came. Lives as long as the process.
std::atomic<int>& stop_signal();

}  // namespace stepgate
