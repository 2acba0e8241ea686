// Counts work between start and stop: operators by name, kernels, host syncs. Never used in a timed pass.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/record/observed_work.h"

namespace stepgate {

/// Totals since start().
struct WorkTotals {
  std::map<std::string, std::int64_t> operators;         ///< operator name -> calls, over all threads
  std::map<std::string, std::int64_t> worker_operators;  ///< the part of them that loader workers called
  /// Metric of the catalogue -> total. host_syncs_per_step: aten::_local_scalar_dense on a CPU, stream syncs on CUDA;
  /// d2h_copies_per_step: with a GPU only; flops_per_step, bytes_touched_per_step, would_sync_per_step, casts and
  /// copies: with an observer; kernels_per_step and the others of cupti/call_table.h: with CUPTI only; own kernels and
  /// library calls: with both. Each has an entry in all totals or in none.
  std::map<std::string, std::int64_t> counters;
  /// Metric -> call of CUDA's runtime or driver -> number, for those with CUPTI; "other": calls that count as nothing.
  /// saved_bytes_per_step -> operator -> bytes and would_sync_per_step -> operator -> calls, with an observer. Own
  /// kernels and library calls by core/kernels/launch_name.h.
  std::map<std::string, std::map<std::string, std::int64_t>> device_calls = {};
};

class WorkCounter {
 public:
  virtual ~WorkCounter() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  /// `listener` is called on any thread for each kernel launch that is counted, with the kernel's mangled name, ""
  /// where it is unknown. False where no part of the counter could hear of launches; where one could and CUPTI refuses,
  /// absent() says why. Called before start().
  virtual bool tell_launches(std::function<void(std::string_view kernel)> /*listener*/) { return false; }
  /// Totals since start(). A counts pass, which is never timed, calls it at boundaries while counting.
  virtual WorkTotals totals() = 0;
  /// The boundary whose work follows, its end, and the end of a counted step.
  virtual void enter(std::string_view /*boundary*/) {}
  virtual void leave() {}
  virtual void end_step() {}
  /// Every operator call since start(), where the counter looks at them one by one. Called once, after stop().
  virtual std::optional<ObservedWork> take_observed() { return std::nullopt; }
  /// Metrics that it could not count since start(), and why.
  virtual std::map<std::string, std::string> absent() const { return {}; }

 protected:
  WorkCounter() = default;
  WorkCounter(const WorkCounter&) = default;
  WorkCounter& operator=(const WorkCounter&) = default;
};

}  // namespace stepgate
