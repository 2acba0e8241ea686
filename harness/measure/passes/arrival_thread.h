// Announces arrivals from a thread on a CPU of its own, so that the server has nothing to do with its load.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "measure/passes/arrivals.h"

namespace stepgate {

/// Both sides only read the clock or one number in a loop: no system call, no lock. So the server does not sleep
/// between requests, and no latency holds the time that the kernel takes to wake a thread.
class ArrivalThread final : public Arrivals {
 public:
  /// `cpu` is one that spare_cpu() gave. Starts nothing yet.
  explicit ArrivalThread(int cpu) : cpu_(cpu) {}
  ~ArrivalThread() override;
  ArrivalThread(const ArrivalThread&) = delete;
  ArrivalThread& operator=(const ArrivalThread&) = delete;

  std::int64_t begin(const std::vector<std::int64_t>& arrival_ns) override;
  void wait_for(std::size_t request) override;
  std::int64_t late_ns() const override { return late_ns_.load(std::memory_order_acquire); }
  int cpu() const override { return cpu_; }

 private:
  void announce_all();

  int cpu_;
  std::int64_t begin_ns_ = 0;
  std::vector<std::int64_t> arrival_ns_;
  std::atomic<std::size_t> announced_ = 0;
  std::atomic<std::int64_t> late_ns_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace stepgate
