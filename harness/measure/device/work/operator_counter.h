// Counts the operators that LibTorch's dispatcher calls, on every thread, by name.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "measure/device/work/autograd_nodes.h"
#include "measure/device/work/sync_watch.h"
#include "measure/device/work/work_counter.h"

namespace stepgate {

/// Counts each call of an operator with a schema (aten::... and registered custom ones), including nested calls; not
/// user scopes or the harness's own reshaping of buffers. Counts autograd nodes apart. Costs 0.1 to 0.2 us per
/// operator, so timed passes never use it. start(), stop() and totals() belong to the step's thread. Only one counter
/// can be active, because LibTorch's callbacks have no state: start() throws Error(measure) otherwise.
class OperatorCounter final : public WorkCounter {
 public:
  /// `syncs` counts host syncs on CUDA. Without it (nullptr, CPU) calls of aten::_local_scalar_dense count.
  explicit OperatorCounter(std::unique_ptr<SyncWatch> syncs);
  ~OperatorCounter() override;

  void start() override;
  void stop() override;
  WorkTotals totals() override;

  /// LibTorch calls it on any thread. `name` lives as long as its operator is registered.
  void count(const char* name);
  /// LibTorch calls it on any thread at the end of an operator.
  void end() { nodes_.read(); }
  /// Called for each copy from the GPU to the host.
  void count_copy_back() { ++copies_back_; }

 private:
  std::unique_ptr<SyncWatch> syncs_;
  std::atomic<std::int64_t> copies_back_ = 0;
  std::uint64_t callback_ = 0;
  bool running_ = false;
  std::mutex mutex_;
  AutogradNodes nodes_;
  std::thread::id step_thread_;
  std::unordered_map<std::string_view, std::int64_t> calls_;
  std::unordered_map<std::string_view, std::int64_t> worker_calls_;  ///< the part of calls_ on workers
};

}  // namespace stepgate
