// Marks for a training loop of your own: the loop reports the end of each boundary. Written against StepMarks, the same
// loop runs in production with a StepTimer (step_timer.h) and in a perftest as Case::loop (perftest.h), where the
// harness drives it boundary by boundary. See docs/own_loop.md.
//
//   void train(stepgate::StepMarks& marks, Model& model) {
//     marks.parameters(model->parameters());
//     while (marks.next_step()) {                       // boundary data_wait begins
//       auto batch = loader.next();     marks.loaded({.samples = 64});
//       auto x = batch.to(device);      marks.copied({x});
//       auto loss = model->loss(x);     marks.forward_done(loss);
//       loss.backward();                marks.backward_done();
//       optimizer.step();               marks.optimizer_done();
//       log(loss);                                        // boundary logging, until next_step()
//     }
//   }
//
// Each mark ends the boundary of its name; time before a mark belongs to that mark. A step with two optimizers or
// several backwards names boundaries of its own: marks.boundary("discriminator", loss_of_it).
//
// A loop that answers requests sets infer_done() and answer_done() in place of the marks of training
// (docs/inference.md):
//
//   while (marks.next_step()) {
//     auto request = take();             marks.loaded({.samples = 1});
//     auto answer = module.forward(..);  marks.infer_done(answer);
//     send(text_of(answer));             marks.answer_done();
//   }
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "stepgate/loss_scaling.h"
#include "stepgate/training_module.h"

namespace at {
class Tensor;
}

namespace stepgate {

/// The amounts of a batch for throughput figures.
struct StepWork {
  std::int64_t samples = 0;        ///< as every field: 0 in all steps is not declared, so that its metrics are absent
  std::int64_t padded_tokens = 0;  ///< 0 where the job has no tokens
  std::int64_t effective_tokens = 0;  ///< tokens that carry data, without padding
  /// Model FLOPs of the whole step on this batch: a multiplication and an addition are two; forward, backward and
  /// optimizer; without recomputation (activation checkpointing), as MLPerf counts. 0: not declared.
  std::int64_t flops = 0;

  StepWork& operator+=(const StepWork& other) {
    samples += other.samples;
    padded_tokens += other.padded_tokens;
    effective_tokens += other.effective_tokens;
    flops += other.flops;
    return *this;
  }
};

/// A view of tensors, valid during the call that receives it: `{x, y}`, or anything with data() and size().
class TensorView {
 public:
  TensorView() = default;
  TensorView(std::initializer_list<at::Tensor> tensors) {
    data_ = tensors.begin();  // not in the initialiser list, where GCC warns about it
    size_ = tensors.size();
  }
  template <typename Tensors>
  requires requires(const Tensors& tensors) {
    { tensors.data() } -> std::convertible_to<const at::Tensor*>;
    { tensors.size() } -> std::convertible_to<std::size_t>;
  }
  TensorView(const Tensors& tensors)  // NOLINT(google-explicit-constructor)
      : data_(tensors.data()), size_(static_cast<std::size_t>(tensors.size())) {}

  const at::Tensor* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  const at::Tensor* data_ = nullptr;
  std::size_t size_ = 0;
};

/// All calls come from one thread, in the order of the functions below, with boundary() where the loop needs it. Every
/// step needs loaded(), and forward_done() or infer_done(). A loop may omit any other mark, but then in all steps.
class StepMarks {
 public:
  virtual ~StepMarks() = default;

  /// Ends the step and begins the next one with boundary data_wait. False: leave the loop. A second call without a mark
  /// in between continues the same step, as at the end of an epoch.
  /// After false do not call it again. In a perftest a second call ends the loop: it unwinds the stack up to the
  /// harness, so that an outer loop over epochs does not go through all of them. A loop that does work of its own
  /// between epochs, or code behind the loop, asks done().
  virtual bool next_step() = 0;

  /// True once next_step() has returned false. A loop that never ends by itself may leave it out.
  ///
  ///   while (!marks.done()) {
  ///     collect_rollout();
  ///     for (auto& batch : stepgate::watched(marks, *loader)) { ... }
  ///   }
  virtual bool done() const { return false; }

  /// The batch is on the host.
  virtual void loaded(const StepWork& work) = 0;

  /// The batch is on the device. If its tensors are given, the exact half of the gate reads bytes and shapes from them.
  virtual void copied(TensorView on_device = {}) = 0;

  /// The loss is computed: one number that requires grad. The harness does not keep it.
  virtual void forward_done(const at::Tensor& loss) = 0;
  virtual void backward_done() = 0;
  virtual void optimizer_done() = 0;

  /// Of a loop that answers requests, in place of the three marks above: the answer is computed. Ends boundary "infer".
  virtual void infer_done(const at::Tensor& /*answer*/) { boundary("infer"); }
  /// The answer is on the host and ready to be sent. Ends boundary "post", and with it the latency of the request,
  /// which began with loaded()'s boundary. Without it the latency ends with infer_done().
  virtual void answer_done() { boundary("post"); }
  /// A token of a generated answer is on the host: for the time to the first token and the time per further token.
  virtual void token_done() {}
  /// `read` gives the modules in train mode, as training_modules() in training_modules.h finds them; call it once,
  /// before the first next_step(). The harness calls `read` between requests, as that of loss_scaling().
  virtual void training_modules(std::function<std::vector<TrainingModule>()> /*read*/) {}

  /// Ends a boundary that the loop names itself, such as the update of a discriminator: lower case letters, digits and
  /// underscores, at most 32 of them and at most 8 names. The first step tells which there are and in which order.
  virtual void boundary(std::string_view /*name*/) {}
  /// The same with its loss: one number, which the gate guards as the loss of forward_done(). Give it in all steps.
  virtual void boundary(std::string_view name, const at::Tensor& /*loss*/) { boundary(name); }

  /// Excludes the time since the last mark, because it was not training (an evaluation, a checkpoint). Only a StepTimer
  /// excludes it: in a perftest whatever the loop does is measured.
  virtual void leave_out() {}

  /// The trainable parameters, for gradient norms and digests. Optional; call it once, before the first step.
  virtual void parameters(TensorView /*all*/) {}

  /// `read` says what the loop's loss scaler says; call it once, before the first next_step(). The harness calls `read`
  /// between steps, never within what it measures, and for as long as the loop runs: what it captures must live until
  /// the loop returns. Without it skipped updates are not counted, and their times are not left out.
  virtual void loss_scaling(std::function<LossScaling()> /*read*/) {}

 protected:
  StepMarks() = default;
  StepMarks(const StepMarks&) = default;
  StepMarks& operator=(const StepMarks&) = default;
};

}  // namespace stepgate
