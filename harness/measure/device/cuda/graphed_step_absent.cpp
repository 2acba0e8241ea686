// Replaces graphed_step.cpp if LibTorch was built without CUDA.
#include <stdexcept>

#include "stepgate/graphed_step.h"

namespace stepgate {

struct GraphedStep::State {};

GraphedStep::GraphedStep(Step step, GraphedStepOptions options) {
  if (!step) throw std::invalid_argument("a graphed step needs a step");
  if (options.warm_up < 1) throw std::invalid_argument("a graphed step needs at least one step of warm-up");
}

GraphedStep::~GraphedStep() = default;

torch::Tensor GraphedStep::operator()(const std::vector<torch::Tensor>& /*inputs*/) {
  throw std::runtime_error("a CUDA graph needs a LibTorch with CUDA, and this one was built without");
}

GraphFacts GraphedStep::facts() const { return {}; }

}  // namespace stepgate
