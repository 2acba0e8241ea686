// A thread on a CPU of its own that copies memory without end, so that the step gets less bandwidth.
#pragma once

#include <atomic>
#include <optional>
#include <thread>

namespace stepgate {

/// A CPU on which a thread of this process may run, outside the CPUs that the process is pinned to and their cores;
/// absent if there is none.
std::optional<int> spare_cpu();

class BandwidthThief {
 public:
  /// Copies blocks of 64 MiB, which no usual cache holds, on `cpu` until destroyed. Returns once it copies.
  explicit BandwidthThief(int cpu);
  ~BandwidthThief();
  BandwidthThief(const BandwidthThief&) = delete;
  BandwidthThief& operator=(const BandwidthThief&) = delete;

 private:
  std::atomic<bool> copying_ = false;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace stepgate
