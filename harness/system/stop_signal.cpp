#include "system/stop_signal.h"

namespace stepgate {
namespace {

// The one piece of process-wide state in the launcher: a signal handler has no other way to hand a value over.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free, "the handler may only store");

}  // namespace

std::atomic<int>& stop_signal() { return received; }

}  // namespace stepgate
