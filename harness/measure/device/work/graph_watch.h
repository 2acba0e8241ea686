// Finds the autograd graphs that outlive their step, and what holds them. For example, a list of losses for a plot
// keeps every graph alive.
#pragma once

#include <c10/util/intrusive_ptr.h>
#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/boundary.h"

namespace stepgate {

/// A weak reference to what a pointer of LibTorch holds: its graphs are in std::shared_ptr up to some version
/// after 2.11, and in c10::intrusive_ptr in 2.15.
template <typename Pointer>
struct WeakReference;
template <typename Target>
struct WeakReference<std::shared_ptr<Target>> {
  using Type = std::weak_ptr<Target>;
};
template <typename Target>
struct WeakReference<c10::intrusive_ptr<Target>> {
  using Type = c10::weak_intrusive_ptr<Target>;
};
using WeakGraph = WeakReference<std::decay_t<decltype(std::declval<const torch::Tensor&>().grad_fn())>>::Type;

/// Follows graphs through weak references, so that it does not keep them alive.
class GraphWatch {
 public:
  /// Called before and after the workload's logging: if the loss or its graph has more holders afterwards, logging
  /// holds the graph.
  void before_logging(const torch::Tensor& loss);
  /// `dropped`: holders that were released meanwhile as expected, such as a loop's own variable.
  void after_logging(const torch::Tensor& loss, std::size_t dropped = 0);
  /// Called at the end of the step, which releases its loss.
  void release(const torch::Tensor& loss);

  /// Graphs of steps before the last one that are still alive, by the boundary that holds them: "logging", else
  /// "forward". The last step's graph may stay alive until the next forward replaces it, for example in a member that
  /// keeps the loss.
  std::map<std::string, std::int64_t> held() const;

 private:
  struct Watched {
    WeakGraph graph;
    Boundary holder = Boundary::forward;
  };
  std::vector<Watched> steps_;
  std::size_t holders_before_ = 0;
  Boundary holder_ = Boundary::forward;
};

}  // namespace stepgate
