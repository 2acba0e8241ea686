// A user's own training loop as StepActions. It runs on a fiber, and each of its marks switches back to the pass that
// drives it, on the same thread. So a pass treats a loop like a workload.
//
// The first step tells which boundaries the loop marks. The time of one that it does not mark is part of the next.
#pragma once

#include <torch/torch.h>

#include <bitset>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/device/graph_watch.h"
#include "measure/step/loop_facts.h"
#include "measure/step/loop_fiber.h"
#include "measure/step/tensor_step.h"
#include "stepgate/perftest.h"
#include "stepgate/step_marks.h"

namespace stepgate {

class LoopStep final : public TensorStep, private StepMarks {
 public:
  /// Runs the loop up to its first next_step(). Throws what it throws there, and Error(usage) where it ends or marks
  /// something before.
  LoopStep(LoopFunction loop, const CaseContext& context);
  /// Ends the loop where finish() was not called; exceptions of the loop are then lost.
  ~LoopStep() override;
  LoopStep(const LoopStep&) = delete;
  LoopStep& operator=(const LoopStep&) = delete;

  /// Lets next_step() return false and the loop run to its end. Throws what it throws, and Error(usage) where it goes
  /// on training. Nothing else may be called after it.
  void finish();

  // These throw Error(usage) naming the step where the loop ends early, and where its marks are out of order or others
  // than in its first step.
  void load() override { run_until(Boundary::data_wait); }
  void copy_to_device() override { run_until(Boundary::h2d); }
  void forward() override { run_until(Boundary::forward); }
  void backward() override { run_until(Boundary::backward); }
  void optimizer_step() override { run_until(Boundary::optimizer); }
  void log(std::int64_t step) override;
  BatchInfo batch_info() const override { return batch_; }
  /// The loop itself released batch and loss before its next_step().
  void release() override;
  void keep_batch(bool resident) override;
  void set_logging(bool on) override;
  void watch_closely() override { graphs_.emplace(); }
  std::map<std::string, std::int64_t> held_graphs() const override;

  const torch::Tensor& loss() const override { return *loss_; }
  std::vector<torch::Tensor> parameters() const override { return parameters_; }
  StepPlace place() const override;

  /// Known once a step has run.
  LoopFacts facts() const;

 private:
  bool next_step() override;
  void loaded(const StepWork& work) override;
  void copied(TensorView on_device) override;
  void forward_done(const torch::Tensor& loss) override;
  void backward_done() override { end(Boundary::backward); }
  void optimizer_done() override { end(Boundary::optimizer); }
  void parameters(TensorView all) override;

  void run_loop();
  void run_until(Boundary boundary);
  void end(Boundary boundary);
  bool over();

  LoopFunction loop_;
  CaseContext context_;
  std::size_t ended_ = boundary_count;  ///< boundaries of this step that are over
  std::bitset<boundary_count> unmarked_;
  std::int64_t step_ = 0;
  bool begun_ = false;     ///< next_step() was called
  bool stopping_ = false;  ///< the loop is to end
  bool ignored_ = false;   ///< and did not
  std::int64_t refusals_ = 0;
  BatchInfo batch_;
  bool tensors_given_ = false;
  const torch::Tensor* loss_ = nullptr;  ///< the loop's own, during forward_done()
  torch::Tensor watched_loss_;           ///< in the counts pass only: holding it keeps its graph alive
  std::vector<torch::Tensor> parameters_;
  std::optional<GraphWatch> graphs_;
  LoopFiber fiber_;  ///< destroyed first
};

}  // namespace stepgate
