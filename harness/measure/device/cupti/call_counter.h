// Counts the calls of the CUDA runtime and driver through CUPTI's callbacks: launches, copies, memsets, allocations,
// and what makes the host wait.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "measure/device/cupti/cupti_library.h"

namespace stepgate::cupti {

/// Totals since start().
struct CallTotals {
  /// Metric of the catalogue (kernels_per_step, ...) -> call -> number. A call is the function's name without version,
  /// with the direction of a copy where its parameters tell: "cudaMemcpyAsync HtoD". A call that copies and waits is
  /// named under both metrics. Every metric of counted_metrics() has an entry, which is empty where nothing was called.
  std::map<std::string, std::map<std::string, std::int64_t>> by_call;
  /// Calls of functions that count as nothing, by name.
  std::map<std::string, std::int64_t> other;
};

/// Called on any thread for each call that counts as a kernel, with the kernel's mangled name, "" where CUPTI gives
/// none.
using LaunchListener = std::function<void(std::string_view kernel)>;

/// Sum over the calls of a metric.
std::int64_t total_of(const CallTotals& totals, const std::string& metric);

/// Counts on every thread of the process, at the outermost counted call: what a call of the runtime calls in the driver
/// is part of it. Callbacks take no lock and allocate nothing, but for what a listener does.
///
/// CUPTI takes one subscriber a process, so this must not run beside LibTorch's profiler (Kineto). Kineto subscribes
/// when a profile is prepared, not when LibTorch is loaded (since LibTorch 2.3).
class CallCounter {
 public:
  explicit CallCounter(std::shared_ptr<const Library> library);
  ~CallCounter();
  CallCounter(const CallCounter&) = delete;
  CallCounter& operator=(const CallCounter&) = delete;

  /// Subscribes and counts from 0. "" where it does, else why CUPTI refuses; then totals() stay 0.
  std::string start();
  /// Before start(). None where it is empty.
  void tell_launches(LaunchListener listener);
  /// Unsubscribes. Totals stay readable.
  void stop();
  CallTotals totals() const;

 private:
  struct Counts;
  std::shared_ptr<const Library> library_;
  std::unique_ptr<Counts> counts_;
  Subscriber* subscriber_ = nullptr;
};

}  // namespace stepgate::cupti
