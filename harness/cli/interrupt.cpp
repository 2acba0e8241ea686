#include "cli/interrupt.h"

#include <csignal>

namespace stepgate {
namespace {

// The one piece of process-wide state in the launcher: a signal handler has no other way to hand a value over.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free, "the handler may only store");

extern "C" void stepgate_on_signal(int number) { received.store(number); }

}  // namespace

std::atomic<int>& watch_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = stepgate_on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(number, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return received;
}

}  // namespace stepgate
