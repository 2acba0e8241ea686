// The step of an InferenceWorkload: it takes a request, copies it to the device, computes the answer and makes it
// ready.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/step/inference/inference_boundaries.h"
#include "measure/step/inference/torch_answers_seen.h"
#include "measure/step/torch_step.h"
#include "stepgate/inference_workload.h"

namespace stepgate {

class TorchInferenceStep final : public TorchStep, public StepAnswers {
 public:
  /// Both must outlive this.
  TorchInferenceStep(InferenceWorkload& workload, BatchCopier& copier);

  /// Throws Error(usage) where infer() gives an undefined tensor.
  void run(Boundary boundary, std::int64_t step) override;
  void release() override;
  StepAbilities abilities() override;
  /// The number that stands for the answer, in the numerics pass; undefined in others.
  const torch::Tensor& loss() const override { return number_; }
  Boundary loss_boundary() const override { return infer_boundary; }
  void keep_losses() override { keeps_number_ = true; }
  std::map<std::string, std::int64_t> held_graphs() const override;
  std::string_view keeps_optimizer() const override { return "a case that answers requests has no optimizer"; }
  StepFacts facts(const PassSeen& seen) const override;

  std::int64_t graph_answers() const override { return seen_.graph_answers; }
  std::optional<std::vector<TrainingModule>> training_modules() const override { return workload_.training_modules(); }
  const TokenClock& tokens() const override { return workload_.tokens(); }

 private:
  void infer();
  /// The base class keeps the answer where that of a training step keeps its loss.
  const torch::Tensor& answer() const { return TorchStep::loss(); }

  InferenceWorkload& workload_;
  AnswersSeen seen_;
  bool keeps_number_ = false;
  torch::Tensor number_;
};

}  // namespace stepgate
