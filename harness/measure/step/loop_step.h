// A user's own training loop as StepActions. It runs on a fiber, and each of its marks switches back to the pass that
// drives it, on the same thread. So a pass treats a loop like a workload.
//
// The first step tells which boundaries the loop marks, and which it names itself. The time of one that it does not
// mark is part of the next.
#pragma once

#include <torch/torch.h>

#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/device/work/graph_watch.h"
#include "measure/step/inference/torch_answers_seen.h"
#include "measure/step/loop_facts.h"
#include "measure/step/loop_fiber.h"
#include "measure/step/tensor_step.h"
#include "stepgate/perftest.h"
#include "stepgate/step_marks.h"

namespace stepgate {

class LoopStep final : public TensorStep, public StepAnswers, private StepMarks {
 public:
  /// Runs the loop up to its first next_step(). Throws what it throws there, and Error(usage) where it ends or marks
  /// something before.
  LoopStep(LoopFunction loop, const CaseContext& context);
  /// Ends the loop where finish() was not called; exceptions of the loop are then lost.
  ~LoopStep() override;
  LoopStep(const LoopStep&) = delete;
  LoopStep& operator=(const LoopStep&) = delete;

  /// Lets next_step() return false and the loop run to its end. Throws what it throws, and Error(usage) where it goes
  /// on training.
  void finish() override;

  /// Throws Error(usage) naming the step where the loop ends early, and where its marks are out of order or others than
  /// in its first step. The loop counts its steps itself.
  void run(Boundary boundary, std::int64_t step) override;
  BatchInfo batch_info() const override { return batch_; }
  std::string input_sizes() const override { return input_sizes_; }
  /// The loop itself released batch and loss before its next_step().
  void release() override;
  void watch_closely() override { graphs_.emplace(); }
  std::map<std::string, std::int64_t> held_graphs() const override;

  /// Of a loop that answers requests the number that stands for the answer.
  const torch::Tensor& loss() const override { return *loss_; }
  Boundary loss_boundary() const override;
  /// A loop turns out to answer requests in its first step.
  StepAbilities abilities() override;
  std::int64_t graph_answers() const override { return seen_.graph_answers; }
  std::optional<std::vector<TrainingModule>> training_modules() const override;
  const TokenClock& tokens() const override { return tokens_; }
  std::vector<torch::Tensor> parameters() const override { return parameters_; }
  /// Runs the loop's own function, on the stack of the caller.
  std::optional<LossScaling> loss_scaling() const override;
  void keep_losses() override { keeps_losses_ = true; }
  std::map<std::string, torch::Tensor> further_losses() const override { return further_losses_; }
  const StepBoundaries& boundaries() const override { return boundaries_; }

  /// Known once a step has run.
  StepFacts facts(const PassSeen& seen) const override;

 private:
  bool next_step() override;
  bool done() const override { return stopping_; }
  void loaded(const StepWork& work) override;
  void copied(TensorView on_device) override;
  void forward_done(const torch::Tensor& loss) override;
  void backward_done() override;
  void optimizer_done() override;
  void infer_done(const torch::Tensor& answer) override;
  void answer_done() override;
  void token_done() override { tokens_.note(); }
  void training_modules(std::function<std::vector<TrainingModule>()> read) override;
  void boundary(std::string_view name) override { end_own(name, nullptr); }
  void boundary(std::string_view name, const torch::Tensor& loss) override { end_own(name, &loss); }
  void parameters(TensorView all) override;
  void loss_scaling(std::function<LossScaling()> read) override;

  void run_loop();
  void run_until(Boundary boundary);
  void log();
  void end(Boundary boundary);
  void end_own(std::string_view name, const torch::Tensor* loss);
  /// Throws: the loop called `mark` before its first step.
  [[noreturn]] void refuse_early(std::string_view mark) const;
  /// Throws where the loop ends a boundary of training and answers requests.
  void require_training(Boundary boundary) const;
  bool may_be_unmarked(Boundary boundary) const;
  /// Throws where the loop may not name a further boundary like this. `call` says what it did.
  void refuse_name(std::string_view name, const std::string& call) const;
  std::string mark_of(Boundary boundary) const;
  std::string mark_at(std::size_t place) const { return mark_of(boundaries_.order()[place]); }
  void note_loss(std::string_view name, const torch::Tensor& loss);
  bool over();

  LoopFunction loop_;
  CaseContext context_;
  StepBoundaries boundaries_;           ///< in the first step it grows by those that the loop names itself
  std::size_t ended_ = boundary_count;  ///< places of boundaries_.order() that are over in this step
  std::size_t expected_ = 0;            ///< the place that the pass lets run
  std::bitset<boundary_count> unmarked_;
  std::int64_t step_ = 0;
  bool begun_ = false;     ///< next_step() was called
  bool stopping_ = false;  ///< the loop is to end
  bool ignored_ = false;   ///< and did not
  bool refused_ = false;   ///< next_step() returned false
  BatchInfo batch_;
  std::string input_sizes_;  ///< sizes of the last batch, in exact passes
  bool tensors_given_ = false;
  const torch::Tensor* loss_ = nullptr;  ///< the loop's own, during forward_done(); number_ after infer_done()
  torch::Tensor watched_loss_;           ///< in the counts pass only: holding it keeps its graph alive
  bool keeps_losses_ = false;
  std::map<std::string, torch::Tensor> further_losses_;  ///< losses of the last step, in the numerics pass
  std::vector<torch::Tensor> parameters_;
  std::function<LossScaling()> read_scaling_;  ///< the loop's; empty where it tells of no scaler
  bool answers_ = false;                       ///< infer_done() was called: the loop answers requests
  AnswersSeen seen_;
  TokenClock tokens_;
  torch::Tensor number_;  ///< answer_number() of the last answer, in the numerics pass
  std::function<std::vector<TrainingModule>()> read_modules_;  ///< the loop's; empty where it tells no modules
  std::optional<GraphWatch> graphs_;
  LoopFiber fiber_;  ///< destroyed first
};

}  // namespace stepgate
