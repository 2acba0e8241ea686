// Sees every operator call between start and stop: operands, layout, self time, FLOPs, bytes, and the place in the
// perftest's code. Never used in a timed pass.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"
#include "measure/device/work/observed_totals.h"
#include "measure/device/work/observer_options.h"

namespace stepgate {

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
  /// Notes that the operator on the calling thread saved `bytes` for backward. Returns its name, "" if none runs.
  /// Called on any thread.
  std::string note_saved(std::int64_t bytes);
  /// Notes that the operator on the calling thread launched a kernel of this mangled name, "" for an unknown one.
  /// Called on any thread.
  void note_launch(std::string_view kernel);
  /// What was seen since start(). Places have offsets and no frames yet. Call it once, after stop().
  ObservedWork take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stepgate
