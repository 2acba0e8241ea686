#include "measure/step/inference/torch_inference_step.h"

#include "core/error.h"

namespace stepgate {
namespace {

constexpr const char* bypassed = "the package runs its products outside of LibTorch's operators";

}  // namespace

TorchInferenceStep::TorchInferenceStep(InferenceWorkload& workload, BatchCopier& copier)
    : TorchStep(workload, copier, inference_boundaries()), workload_(workload) {}

void TorchInferenceStep::run(Boundary boundary, std::int64_t step) {
  if (boundary == infer_boundary) {
    enter_boundary(boundary);
    infer();
  } else if (boundary == post_boundary) {
    enter_boundary(boundary);
    workload_.post(answer());
  } else {
    if (boundary == Boundary::data_wait) workload_.tokens().begin();
    TorchStep::run(boundary, step);
  }
}

void TorchInferenceStep::infer() {
  set_loss(workload_.infer(batch_on_device()));
  if (!answer().defined()) {
    throw Error(ErrorKind::usage, "InferenceWorkload::infer returned an undefined tensor", "return the answer");
  }
  if (!keeps_number_) return;
  const torch::NoGradGuard no_grad;
  number_ = workload_.guarded_number(answer());
  if (!number_.defined()) number_ = answer_number(answer());
  require_number(number_, "InferenceWorkload::guarded_number returned");
}

/// Passes that only load batches release steps without an answer.
void TorchInferenceStep::release() {
  if (answer().defined()) seen_.note(answer());
  TorchStep::release();
}

StepAbilities TorchInferenceStep::abilities() {
  StepAbilities abilities = TorchStep::abilities();
  abilities.answers = this;
  return abilities;
}

std::map<std::string, std::int64_t> TorchInferenceStep::held_graphs() const {
  return held_since_infer(TorchStep::held_graphs());
}

StepFacts TorchInferenceStep::facts(const PassSeen& seen) const {
  StepFacts facts = TorchStep::facts(seen);
  facts.compile_seconds = workload_.compile_seconds();
  facts.absent = absent_in_inference(seen.group);
  if (seen.group == Group::exact && workload_.hides_operators()) {
    for (const char* metric : {"flops_per_step", "bytes_touched_per_step"}) facts.absent[metric] = bypassed;
  }
  facts.inference = seen_.with(workload_.training_modules());
  return facts;
}

}  // namespace stepgate
