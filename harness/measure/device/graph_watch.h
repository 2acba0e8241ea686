// Which steps' autograd graphs outlive their step, and who holds them: a list of losses that was meant for a plot keeps
// every graph alive.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/boundary.h"

namespace stepgate {

/// Follows graphs through weak references, so that watching holds nothing itself.
class GraphWatch {
 public:
  /// Around the workload's logging: who holds the loss or its graph more often after it than before is to blame.
  void before_logging(const torch::Tensor& loss);
  /// `dropped`: holders that went away meanwhile as they should, such as a loop's own variable.
  void after_logging(const torch::Tensor& loss, std::size_t dropped = 0);
  /// The step is over and lets go of its loss.
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
