// Finds the autograd graphs that outlive their step, and what holds them. For example, a list of losses for a plot
// keeps every graph alive.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/boundary.h"

namespace stepgate {

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
    std::weak_ptr<torch::autograd::Node> graph;
    Boundary holder = Boundary::forward;
  };
  std::vector<Watched> steps_;
  std::size_t holders_before_ = 0;
  Boundary holder_ = Boundary::forward;
};

}  // namespace stepgate
