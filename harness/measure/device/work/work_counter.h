// Counts work between start and stop: operators by name, kernels, host syncs. Never used in a timed pass.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace stepgate {

/// Totals since start().
struct WorkTotals {
  std::map<std::string, std::int64_t> operators;         ///< operator name -> calls, over all threads
  std::map<std::string, std::int64_t> worker_operators;  ///< the part of them that loader workers called
  /// Metric of the catalogue -> total. host_syncs_per_step: aten::_local_scalar_dense on a CPU, stream syncs on CUDA;
  /// kernels_per_step and d2h_copies_per_step: with a GPU only. Each has an entry in all totals or in none.
  std::map<std::string, std::int64_t> counters;
};

class WorkCounter {
 public:
  virtual ~WorkCounter() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  /// Totals since start(). A counts pass, which is never timed, calls it at boundaries while counting.
  virtual WorkTotals totals() = 0;

 protected:
  WorkCounter() = default;
  WorkCounter(const WorkCounter&) = default;
  WorkCounter& operator=(const WorkCounter&) = default;
};

}  // namespace stepgate
