// A case that answers requests in place of training. The harness owns the loop: it calls the functions in order and
// measures the latency of each request. See docs/inference.md.
//
//   class Classifier final : public stepgate::InferenceWorkload {
//     Batch next_batch() override;                                       // boundary data_wait: take the request
//     torch::Tensor infer(const Batch& batch) override {                 // boundary infer
//       const torch::NoGradGuard no_grad;
//       return net_->forward(batch.tensors[0]);
//     }
//     void post(const torch::Tensor& answer) override { label_ = answer.argmax(1).cpu(); }  // boundary post
//     std::vector<stepgate::TrainingModule> training_modules() const override {
//       return stepgate::training_modules(*net_);
//     }
//     std::vector<torch::Tensor> parameters() const override { return net_->parameters(); }
//   };
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "stepgate/token_clock.h"
#include "stepgate/training_modules.h"
#include "stepgate/workload.h"

namespace stepgate {

/// Functions run once a request in the order next_batch(), copy to the device, infer(), post(), log_step(), on one
/// thread. The latency of a request is the time from the begin of next_batch() to the end of post(), with the device
/// idle; log_step() is no part of it and gets the answer in place of a loss. parameters() are the weights of the model.
class InferenceWorkload : public Workload {
 public:
  /// Boundary infer: the answer to a batch that has the copies of the tensors on the device. The harness sets neither
  /// torch::NoGradGuard nor eval mode: both are the program's own, and the gate tells where one is missing.
  virtual torch::Tensor infer(const Batch& batch) = 0;

  /// Boundary post: what is done with the answer before it is sent, such as an argmax or a copy to the host.
  virtual void post(const torch::Tensor& /*answer*/) {}

  /// The modules of the model that compute in train mode and would give other results in eval mode
  /// (training_modules.h). {} for code without modules, such as a package that was compiled ahead of time. Called
  /// between requests, and never between those that are timed.
  virtual std::vector<TrainingModule> training_modules() const = 0;

  /// One number that changes where the answer does; it is guarded as a loss is. Undefined: a weighted mean of all
  /// elements of the answer. Called after infer(), in the numerics pass only.
  virtual torch::Tensor guarded_number(const torch::Tensor& /*answer*/) { return {}; }

  /// True where the products of infer() do not pass LibTorch's dispatcher, as in a package that was compiled ahead of
  /// time. FLOPs and bytes touched are then absent with that reason.
  virtual bool hides_operators() const { return false; }

  /// As WholeStepWorkload::compile_seconds().
  virtual std::optional<std::int64_t> compile_seconds() const { return std::nullopt; }

  StepForm step_form() const final { return StepForm::inference; }

  /// For the harness: the tokens of the request that runs or ran last.
  TokenClock& tokens() { return tokens_; }
  const TokenClock& tokens() const { return tokens_; }

  // These are never called: infer() does their work.
  torch::Tensor forward(const Batch& /*batch*/) final { refuse("forward"); }
  void backward(const torch::Tensor& /*loss*/) final { refuse("backward"); }
  void optimizer_step() final { refuse("optimizer_step"); }

 protected:
  /// Call it in infer() or post() when a token of a generated answer is on the host: for the time to the first token
  /// and the time per further token.
  void token_done() { tokens_.note(); }

 private:
  [[noreturn]] static void refuse(const char* function) {
    throw std::logic_error(std::string(function) + "() of a workload that answers requests: call infer()");
  }

  TokenClock tokens_;
};

}  // namespace stepgate
