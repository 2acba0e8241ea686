#include "measure/passes/arrival_thread.h"

#include <algorithm>

#include "measure/device/spare_cpu.h"

namespace stepgate {
namespace {

/// Own choice: a thread starts and moves within a tenth of it.
constexpr std::int64_t thread_start_ns = 10'000'000;

}  // namespace

ArrivalThread::~ArrivalThread() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

std::int64_t ArrivalThread::begin(const std::vector<std::int64_t>& arrival_ns) {
  arrival_ns_ = arrival_ns;
  begin_ns_ = clock_() + thread_start_ns;
  thread_ = std::thread([this] { announce_all(); });
  return begin_ns_;
}

/// Where the kernel does not let it move, it competes with the server, and its lateness tells.
void ArrivalThread::announce_all() {
  static_cast<void>(stay_on_cpu(cpu_));
  for (std::size_t request = 0; request < arrival_ns_.size(); ++request) {
    const std::int64_t due_ns = begin_ns_ + arrival_ns_[request];
    std::int64_t now_ns = clock_();
    while (now_ns < due_ns) {
      if (stopping_.load(std::memory_order_relaxed)) return;
      now_ns = clock_();
    }
    late_.most_ns = std::max(late_.most_ns, now_ns - due_ns);
    late_.total_ns += now_ns - due_ns;
    announced_.store(request + 1, std::memory_order_release);
  }
}

void ArrivalThread::wait_for(std::size_t request) {
  while (announced_.load(std::memory_order_acquire) <= request) {
  }
}

}  // namespace stepgate
