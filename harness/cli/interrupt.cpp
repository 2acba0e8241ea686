#include "cli/interrupt.h"

#include <csignal>

#include "system/stop_signal.h"

namespace stepgate {
namespace {

extern "C" void stepgate_on_signal(int number) { stop_signal().store(number); }

}  // namespace

std::atomic<int>& watch_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = stepgate_on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(number, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return stop_signal();
}

}  // namespace stepgate
