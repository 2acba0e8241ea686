#include "measure/device/work/graph_watch.h"

namespace stepgate {
namespace {

std::size_t holders_of(const torch::Tensor& loss) {
  const auto of_graph = loss.grad_fn() ? static_cast<std::size_t>(loss.grad_fn().use_count()) : 0;
  return loss.use_count() + of_graph;
}

}  // namespace

void GraphWatch::before_logging(const torch::Tensor& loss) { holders_before_ = holders_of(loss); }

void GraphWatch::after_logging(const torch::Tensor& loss, std::size_t dropped) {
  holder_ = holders_of(loss) + dropped > holders_before_ ? Boundary::logging : Boundary::forward;
}

void GraphWatch::release(const torch::Tensor& loss) {
  if (loss.defined() && loss.grad_fn()) steps_.push_back({WeakGraph(loss.grad_fn()), holder_});
  holder_ = Boundary::forward;
}

std::map<std::string, std::int64_t> GraphWatch::held() const {
  std::map<std::string, std::int64_t> result;
  for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
    if (!steps_[i].graph.expired()) ++result[std::string(name_of(steps_[i].holder))];
  }
  return result;
}

}  // namespace stepgate
