// Alternating windows: two perftest processes are alive together, and only one of them runs a window at any time. A
// drift that is slower than a window is then the same for both (tests/figures/turns.py).
#pragma once

namespace stepgate {

/// The two processes pass one byte over a socket pair; the process that has it runs. The launcher sends 'e' over the
/// same socket when the other process has ended, for whatever reason; from then on this process always has it.
class WindowToken {
 public:
  /// This process's end of the socket pair; used, not owned.
  explicit WindowToken(int socket) : socket_(socket) {}

  /// Waits for the byte, and then until the other process sleeps.
  void take();
  void give() const;

 private:
  int socket_;
  bool alone_ = false;  ///< the other has ended
};

}  // namespace stepgate
