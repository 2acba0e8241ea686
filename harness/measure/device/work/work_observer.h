// Sees every operator call between start and stop: operands, layout, self time, FLOPs, bytes, and the place in the
// perftest's code. Never used in a timed pass.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

struct ObserverOptions {
  bool by_shape = false;   ///< one site per sizes and strides of the operands
  bool with_lines = true;  ///< unwind the stack, for CodePlace::offsets
  /// Bytes that tensors have requested so far, for OperatorSite::allocated_bytes, which stays 0 without it. Called
  /// twice per operator, on any thread.
  std::function<std::int64_t()> requested_bytes = {};
};

/// Since start(), without what loader workers and boundary data_wait do.
struct ObservedTotals {
  std::int64_t flops = 0;
  std::int64_t misaligned_flops = 0;  ///< in products that product_alignment.h calls misaligned
  std::int64_t bytes = 0;
  std::int64_t casts = 0;  ///< copies of more than one element into another dtype, within one device
  std::int64_t cast_bytes = 0;
  std::int64_t copy_bytes = 0;  ///< of copies within one device that keep the dtype
};

/// Costs about 1 us per operator. It changes neither what the operators do nor what they allocate: it holds no tensor,
/// and it asks for no operands of autograd's nodes, because an additional reference to a gradient makes LibTorch copy
/// it. All functions belong to the step's thread; operators may run on any. Only one observer can be active, because
/// LibTorch's callbacks have no state.
class WorkObserver {
 public:
  explicit WorkObserver(const ObserverOptions& options);
  ~WorkObserver();
  WorkObserver(const WorkObserver&) = delete;
  WorkObserver& operator=(const WorkObserver&) = delete;

  /// ObservedTensor::from is "parameter" for these and "gradient" for their gradients. They must live until stop().
  /// Call it before start().
  void know_parameters(const std::vector<at::Tensor>& parameters);
  /// Throws Error(measure) if another observer is active. Call it once.
  void start();
  /// Operators between enter and leave belong to `boundary`; those outside are not recorded. Operators of loader
  /// workers always belong to data_wait.
  void enter(std::string_view boundary);
  void leave();
  void end_step();  ///< ObservedWork::steps rises
  /// Waits for callbacks that run on other threads. Does nothing if it is not active.
  void stop();
  ObservedTotals totals();
  /// The operator that runs on the calling thread saved so much for backward. Returns its name, "" where none runs. On
  /// any thread.
  std::string note_saved(std::int64_t bytes);
  /// What was seen since start(). Places have offsets and no frames yet. Call it once, after stop().
  ObservedWork take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stepgate
