// Announces arrivals from a thread on a CPU of its own, so that the server has nothing to do with its load.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "measure/passes/arrivals.h"
#include "stepgate/host_clock.h"

namespace stepgate {

/// Both sides only read the clock or one number in a loop: no system call, no lock. So the server does not sleep
/// between requests, and no latency holds the time that the kernel takes to wake a thread.
class ArrivalThread final : public Arrivals {
 public:
  /// `cpu` is one that spare_cpu() gave. Starts nothing yet.
  explicit ArrivalThread(int cpu, HostClock clock = steady_clock_ns) : cpu_(cpu), clock_(clock) {}
  ~ArrivalThread() override;
  ArrivalThread(const ArrivalThread&) = delete;
  ArrivalThread& operator=(const ArrivalThread&) = delete;

  std::int64_t begin(const std::vector<std::int64_t>& arrival_ns) override;
  void wait_for(std::size_t request) override;
  Lateness late() const override { return late_; }
  int cpu() const override { return cpu_; }
  /// So many requests by now.
  std::size_t announced() const { return announced_.load(std::memory_order_acquire); }

 private:
  void announce_all();

  int cpu_;
  HostClock clock_;
  std::int64_t begin_ns_ = 0;
  std::vector<std::int64_t> arrival_ns_;
  std::atomic<std::size_t> announced_ = 0;
  Lateness late_;  ///< of those announced; `announced_` orders it, and nothing writes it after the last one
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace stepgate
