// Alternating windows: two perftest processes are alive together, and only one of them runs a window at any time. A
// drift that is slower than a window is then the same for both (tests/figures/turns.py).
#pragma once

#include <chrono>

#include "core/record/run_record.h"
#include "system/process_cpu.h"

namespace stepgate {

/// The two processes pass one byte over a socket pair; the process that has it runs. The launcher sends 'e' over the
/// same socket when the other process has ended, for whatever reason; from then on this process always has it.
class WindowToken {
 public:
  /// This process's end of the socket pair; used, not owned.
  explicit WindowToken(int socket) : socket_(socket) {}

  /// Waits for the byte, and then until the other process sleeps.
  void take();
  void give();

  /// CPU time of this process between give() and take(), read outside the windows of both processes. What is waited for
  /// the first byte of all does not count: nothing is built then.
  const WaitingCpu& waiting() const { return waiting_; }

 private:
  void receive();

  int socket_;
  bool alone_ = false;  ///< the other has ended
  bool gave_ = false;
  std::chrono::steady_clock::time_point given_at_ = {};
  ProcessCpu cpu_at_give_ = {};
  WaitingCpu waiting_ = {};
};

}  // namespace stepgate
