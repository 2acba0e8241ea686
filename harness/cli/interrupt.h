// Ctrl-C and friends as a number that the launcher polls.
#pragma once

#include <atomic>

namespace stepgate {

/// Installs handlers for INT, TERM, HUP and QUIT that store the signal's number in stop_signal(), which it returns; a
/// second signal ends the process at once.
std::atomic<int>& watch_for_interrupts();

}  // namespace stepgate
