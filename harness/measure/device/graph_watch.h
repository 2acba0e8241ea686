// Finds the autograd graphs that outlive their step, and what holds them. For example, a list of losses that was meant
// for a plot keeps every graph alive.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/boundary.h"

namespace stepgate {

/// Follows graphs through weak references, so that it keeps none of them alive.
class GraphWatch {
 public:
  /// Called around the workload's logging: where the loss or its graph has more holders after it, logging holds the
  /// graph.
  void before_logging(const torch::Tensor& loss);
  /// `dropped`: holders that went away meanwhile as they should, such as a loop's own variable.
  void after_logging(const torch::Tensor& loss, std::size_t dropped = 0);
  /// The step is over and releases its loss.
  void release(const torch::Tensor& loss);

  /// Graphs of steps before the last one that still live, by the boundary that took hold of them: "logging", else
  /// "forward". The last step's own may live on until the next forward replaces it, as a member that keeps the loss
  /// does.
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
