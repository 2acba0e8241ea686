// A thread on a CPU of its own: it copies memory without end, so that the step gets less bandwidth, or it only
// computes.
#pragma once

#include <atomic>
#include <thread>

namespace stepgate {

enum class SpareCoreLoad {
  computes,  ///< in registers: takes no bandwidth, but what any busy core takes (clock, a core that a host shares)
  copies,    ///< blocks of 64 MiB, which no usual cache holds
};

class BusySpareCore {
 public:
  /// Works on `cpu` until destroyed. Returns once it works.
  BusySpareCore(int cpu, SpareCoreLoad load);
  ~BusySpareCore();
  BusySpareCore(const BusySpareCore&) = delete;
  BusySpareCore& operator=(const BusySpareCore&) = delete;

 private:
  std::atomic<bool> working_ = false;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace stepgate
