#include "emulator/process/host_functions.h"

#include <unistd.h>

#include <atomic>

#include "emulator/machine/host_function_thread.h"
#include "emulator/process/process_machine.h"

namespace stepgate::emulator {

// A child that was forked has none of its parent's threads, so it gets its own. No lock is held over a fork.
void run_host_functions() {
  static std::atomic<::pid_t> process{0};
  if (process.exchange(::getpid()) == ::getpid()) return;
  static std::atomic<HostFunctionThread*> thread{nullptr};
  thread = new HostFunctionThread(process_machine());
}

}  // namespace stepgate::emulator
