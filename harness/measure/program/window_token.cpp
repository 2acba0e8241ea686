#include "measure/program/window_token.h"

#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace stepgate {
namespace {

/// Both processes share a CPU. send() wakes the taker at once, before the giver has reached its own recv(). Without
/// this pause the giver waited in the run queue for a time slice (2.8 ms) of the taker's window and then interrupted
/// that window to fall asleep: 135 switches and 8 % of run-queue wait in a pair of 100 steps, against 0.08 % of
/// wait with it.
constexpr std::chrono::microseconds giver_falls_asleep{200};

}  // namespace

void WindowToken::take() {
  if (alone_) return;
  receive();
  if (!std::exchange(gave_, false)) return;
  const auto waited = std::chrono::steady_clock::now() - given_at_;
  waiting_.wall_ns += std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count();
  waiting_.cpu_ns += background_ns(cpu_at_give_, read_process_cpu());
}

void WindowToken::receive() {
  char word = 0;
  ssize_t got = 0;
  do {
    got = ::recv(socket_, &word, 1, 0);
  } while (got < 0 && errno == EINTR);
  alone_ = got != 1 || word == 'e';
  if (!alone_) std::this_thread::sleep_for(giver_falls_asleep);
}

void WindowToken::give() {
  if (alone_) return;
  gave_ = true;
  given_at_ = std::chrono::steady_clock::now();
  cpu_at_give_ = read_process_cpu();
  const char word = 't';
  // Fails only where the other has ended, which take() finds out.
  static_cast<void>(::send(socket_, &word, 1, MSG_NOSIGNAL) < 0);
}

}  // namespace stepgate
