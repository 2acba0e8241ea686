// A whole training step as a CUDA graph: recorded once, then started with one call, whatever its number of kernels.
//
//   class Graphed final : public stepgate::WholeStepWorkload {
//     torch::Tensor step(const Batch& batch) override { return graphed_(batch.tensors); }
//     std::optional<GraphFacts> graphs() const override { return graphed_.facts(); }
//     bool hides_operators() const override { return true; }  // a replay calls none
//     stepgate::GraphedStep graphed_{[this](const std::vector<torch::Tensor>& inputs) { return eager_step(inputs); },
//                                    {.parameters = net_->parameters()}};  // the last member: it uses the others
//   };
//
// What the step must and must not do:
// - Whatever lasts from step to step, such as the state of the optimizer, exists after the first call. What a recording
//   makes anew is made anew by every replay: a state that is born there starts from zero in each step.
// - It reads nothing from the device: .item(), .cpu() and clip_grad_norm_() end the recording with an exception.
// - stepgate::checkpoint() may be part of it from LibTorch 2.10 on. Before, LibTorch refuses the state of a generator
//   while a graph is recorded, with an exception too.
// - All its work is on the current stream, or on streams that wait for it and that it waits for.
// - A scope of autocast begins and ends in the step (autocast.h): weights that were cast outside are never cast again.
// - It takes no number from the host that changes from step to step, random ones of the host's generator included. A
//   graph repeats the numbers of the recorded step: torch::optim::AdamW of C++ counts its steps on the host, so a graph
//   of it trains with the bias correction of one step for ever, and torch::optim::SGD with the learning rate of one
//   step. Nothing reports that. Use at::_fused_adamw_ with the numbers of steps as tensors on the device (and, with a
//   schedule, its overload with a tensor as rate), and compare the losses with those of the eager step in a test:
//   docs/compiled_steps.md shows one. Random numbers of the device go on from replay to replay.
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
  /// The tensors that the step computes gradients of. The gradients are dropped before each recording, so that they
  /// live in the memory of the graph, and after each replay parameters[i].grad() is that of this replay. Without it,
  /// drop them in the step before forward; gradients that stay are then those of the signature that was recorded last.
  std::vector<torch::Tensor> parameters = {};
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
  /// the GPU of the first call, and where the step cannot be recorded: it synchronises, or does nothing on the stream
  /// that is recorded. After the last one end the process: its allocator may still take part in the recording.
  torch::Tensor operator()(const std::vector<torch::Tensor>& inputs);

  /// Asks the allocator and walks through the graph: not for measured windows.
  GraphFacts facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stepgate
