// Runs a function piece by piece on a stack of its own, on the calling thread. So a pass drives a user's own training
// loop boundary by boundary. A switch costs nanoseconds and no system call (Boost.Context).
#pragma once

#include <exception>
#include <functional>
#include <memory>

namespace stepgate {

class LoopFiber {
 public:
  /// Takes memory for the stack, 8 MiB as a main thread has, with a guard page below it. Runs nothing yet.
  explicit LoopFiber(std::function<void()> body);
  /// A body that has not ended is unwound: its destructors run.
  ~LoopFiber();
  LoopFiber(const LoopFiber&) = delete;
  LoopFiber& operator=(const LoopFiber&) = delete;

  /// Runs the body until it calls pause() or ends; throws what the body throws. Do not call it after the body has
  /// ended.
  void resume();

  /// Called by the body: returns to the caller of resume().
  void pause();

  bool ended() const { return ended_; }

 private:
  struct Contexts;
  void run_body();

  std::function<void()> body_;
  std::exception_ptr thrown_;
  bool ended_ = false;
  std::unique_ptr<Contexts> contexts_;  ///< destroyed first: that unwinds the body
};

}  // namespace stepgate
