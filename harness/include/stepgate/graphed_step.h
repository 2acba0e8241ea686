// A whole training step as a CUDA graph: recorded once, then started with one call, whatever its number of kernels.
//
//   class Graphed final : public stepgate::WholeStepWorkload {
//     torch::Tensor step(const Batch& batch) override { return graphed_(batch.tensors); }
//     std::optional<GraphFacts> graphs() const override { return graphed_.facts(); }
//     stepgate::GraphedStep graphed_{[this](const std::vector<torch::Tensor>& inputs) { return eager_step(inputs); }};
//   };
//
// What the step must and must not do:
// - It drops all gradients before forward (zero_grad(), which sets them to None), so that they live in the memory of
// the
//   graph.
// - It reads nothing from the device: .item(), .cpu() and clip_grad_norm_() end the recording with an exception.
// - It takes no number from the host that changes from step to step. A graph repeats the numbers of the recorded step:
//   torch::optim::AdamW of C++ counts its steps on the host, so a graph of it trains with the bias correction of one
//   step for ever, and torch::optim::SGD with the learning rate of one step. Nothing reports that. Use
//   at::_fused_adamw_ with the numbers of steps as tensors on the device (and, with a schedule, its overload with a
//   tensor as rate), and compare the losses with those of the eager step in a test: docs/compiled_steps.md shows one.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "stepgate/graph_facts.h"

namespace stepgate {

struct GraphedStepOptions {
  /// Calls for each signature that run the step as it is, on a stream of their own, before it is recorded: libraries
  /// choose their kernels, and the optimizer makes its state. At least 1.
  std::int64_t warm_up = 3;
};

class GraphedStep {
 public:
  /// Forward, backward and update on `inputs`, which are on the device. Returns the loss, one number.
  using Step = std::function<torch::Tensor(const std::vector<torch::Tensor>& inputs)>;

  /// Makes no call of CUDA, so that it can be a member of a workload that a machine without a GPU builds. Throws
  /// std::invalid_argument without a step or with less than one warm-up.
  explicit GraphedStep(Step step, GraphedStepOptions options = {});
  ~GraphedStep();
  GraphedStep(const GraphedStep&) = delete;
  GraphedStep& operator=(const GraphedStep&) = delete;

  /// One training step: each call updates the parameters once, in warm-up, when it records and when it replays. A
  /// signature (types, sizes and strides of the inputs) that was not seen before is warmed up and recorded again. The
  /// loss is valid until the next call.
  /// Throws std::runtime_error where LibTorch was built without CUDA, where there is no GPU, where an input is not on
  /// one, and where the step cannot be recorded (it synchronises). After the last one end the process: its allocator
  /// still takes part in the recording.
  torch::Tensor operator()(const std::vector<torch::Tensor>& inputs);

  /// Asks the allocator and walks through the graph: not for measured windows.
  GraphFacts facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stepgate
