// Counts work while it is switched on: operators by name, kernels, host syncs. Never on in a timed pass.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace stepgate {

/// Totals since start().
struct WorkTotals {
  std::map<std::string, std::int64_t> operators;  ///< operator name -> calls, over all threads
  std::int64_t host_syncs = 0;                    ///< aten::_local_scalar_dense on any device, stream syncs on CUDA
  std::optional<std::int64_t> kernels = std::nullopt;     ///< device kernels; absent without a GPU
  std::optional<std::int64_t> d2h_copies = std::nullopt;  ///< copies from the device to the host; absent without a GPU
};

class WorkCounter {
 public:
  virtual ~WorkCounter() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  /// Totals since start(); may be called while counting, at boundaries of a counts pass (never timed).
  virtual WorkTotals totals() = 0;

 protected:
  WorkCounter() = default;
  WorkCounter(const WorkCounter&) = default;
  WorkCounter& operator=(const WorkCounter&) = default;
};

}  // namespace stepgate
