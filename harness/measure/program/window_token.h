// Two perftest processes that are alive together and run window by window in turns: what drifts more slowly than a
// window is then the same for both (tests/figures/turns.py).
#pragma once

namespace stepgate {

/// One byte wanders over a socket pair; who has it runs. The launcher says over the same wire that the other has ended
/// ('e'), however it did; from then on the turn is always this process's.
class WindowToken {
 public:
  /// This process's end of the socket pair; used, not owned.
  explicit WindowToken(int socket) : socket_(socket) {}

  /// Waits for the turn, and then for the other to have fallen asleep.
  void take();
  void give() const;

 private:
  int socket_;
  bool alone_ = false;  ///< the other has ended
};

}  // namespace stepgate
