// Ctrl-C and friends as a number that the launcher polls.
#pragma once

#include <atomic>

namespace stepgate {

/// Installs handlers for INT, TERM, HUP and QUIT that store the signal's number; a second signal ends the process at
/// once. The returned flag lives as long as the process: a handler can reach nothing else.
std::atomic<int>& watch_for_interrupts();

}  // namespace stepgate
