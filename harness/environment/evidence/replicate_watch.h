// What can only be seen while a measured process runs, sampled a few times a second from a housekeeping CPU.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/record/evidence.h"
#include "environment/cpus/cpu_list.h"

namespace stepgate {

/// Samples one process about five times a second in the thread that waits for it. It needs no further thread and does
/// nothing on measured CPUs. Its own cost is evidence too: watch_cpu_fraction.
class ReplicateWatch {
 public:
  /// `threads_may_leave`: the program sends threads to other CPUs on purpose (bandwidth-thief of group profile), so
  /// that they are not evidence; the mask that the process itself has at its end still is (evidence_of.h).
  ReplicateWatch(std::filesystem::path sysroot, CpuList measured, bool threads_may_leave = false);

  /// One sample of process `pid`. Reads files only. A process that is gone leaves the sample empty. `sends_threads_now`
  /// says whether the program sends a thread to another CPU on purpose at this moment, as the generator of requests is;
  /// it is asked before and after the threads are read.
  void sample(pid_t pid, const std::function<bool()>& sends_threads_now = {});

  /// Sets affinity_changed (1 if a thread was ever allowed off the measured CPUs), cpu_offline (1 if a measured CPU was
  /// ever offline), cpu_mean_mhz (mean of scaling_cur_freq) and watch_cpu_fraction (CPU seconds of all sample() /
  /// `wall_s`).
  void add_to(Evidence& evidence, double wall_s) const;

 private:
  /// Whether one of its threads is allowed off the measured CPUs.
  bool has_strayed(pid_t pid);
  void sample_cpus();

  std::filesystem::path sysroot_;
  CpuList measured_;
  bool threads_may_leave_ = false;
  std::int64_t samples_ = 0;
  double cpu_s_ = 0;
  bool strayed_ = false;
  bool saw_threads_ = false;
  bool offline_ = false;
  double mhz_sum_ = 0;
  std::int64_t mhz_count_ = 0;
};

}  // namespace stepgate
