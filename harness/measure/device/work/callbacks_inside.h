// How many of LibTorch's callbacks run now.
#pragma once

#include <atomic>
#include <thread>

namespace stepgate {

/// Callbacks run on any thread, and at::removeCallback() does not wait for those that run. So whoever ends the object
/// that they use first takes it away from later ones, and then waits here.
class CallbacksInside {
 public:
  /// The first line of each callback, before it reads which object to use.
  class Presence {
   public:
    explicit Presence(CallbacksInside& of) : of_(of) { ++of_.running_; }
    ~Presence() { --of_.running_; }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;

   private:
    CallbacksInside& of_;
  };

  /// Returns when none runs. Never call it from a callback.
  void wait_for_none() const {
    while (running_ != 0) std::this_thread::yield();
  }

 private:
  // Sequentially consistent, as the pointer to the object: either a callback sees that the object is gone, or
  // wait_for_none() sees the callback.
  std::atomic<int> running_ = 0;
};

}  // namespace stepgate
