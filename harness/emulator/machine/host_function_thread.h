// A thread beside the program that runs the functions which it has put into its streams (cudaLaunchHostFunc). The
// program may wait for one of them without a call to the machine, which else does nothing by itself, and a function may
// wait for what the program does after it has queued more work.
#pragma once

#include <atomic>
#include <thread>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

/// It sleeps where no function waits, and never holds the machine's lock while it runs one. Signals of the process do
/// not reach it.
class HostFunctionThread {
 public:
  /// `machine` outlives it.
  explicit HostFunctionThread(EmulatedMachine& machine);
  /// Waits for the function that it is in.
  ~HostFunctionThread();
  HostFunctionThread(const HostFunctionThread&) = delete;
  HostFunctionThread& operator=(const HostFunctionThread&) = delete;

 private:
  void run();

  EmulatedMachine& machine_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace stepgate::emulator
