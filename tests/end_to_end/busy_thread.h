// A fault of faulty_char_lm: work beside the step.
#pragma once

#include <pthread.h>

#include <atomic>
#include <thread>

#include "language/char_lm.h"

namespace stepgate {

/// A thread beside the step asks again and again instead of waiting.
class BusyThread : public CharLm {
 public:
  BusyThread(const CaseContext& context, const CharLmSize& size) : CharLm(context, size), thread_([this] { ask(); }) {
    ::pthread_setname_np(thread_.native_handle(), "busy_thread");
  }
  ~BusyThread() override {
    over_ = true;
    thread_.join();
  }

 private:
  void ask() const {
    while (!over_) {
    }
  }

  std::atomic<bool> over_ = false;
  std::thread thread_;  // last: it reads what is above
};

}  // namespace stepgate
