// Runs a function on a stack of its own, piece by piece, on the calling thread: how a training loop that its owner
// wrote is driven boundary by boundary. Switching costs nanoseconds and no system call (Boost.Context).
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

  /// Until the body calls pause() or ends; throws what leaves the body. Not to be called once it has ended.
  void resume();

  /// Inside the body: back to where resume() was called.
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
