#include "measure/step/step_form.h"

#include <array>
#include <utility>

#include "core/error.h"
#include "measure/step/inference/torch_inference_step.h"
#include "measure/step/loop_step.h"
#include "measure/step/torch_whole_step.h"

namespace stepgate {
namespace {

constexpr std::string_view unscaled_workload = "the workload scales no loss: Workload::loss_scaling() tells none";

/// `Given` is the class of workload that says to have this form.
template <typename Step, typename Given>
std::unique_ptr<TorchStep> step_over(Workload& workload, BatchCopier& copier) {
  return std::make_unique<Step>(static_cast<Given&>(workload), copier);
}

constexpr std::array step_forms = {
    StepFormRow{StepForm::phases, step_over<TorchStep, Workload>, unscaled_workload},
    StepFormRow{StepForm::whole_step, step_over<TorchWholeStep, WholeStepWorkload>, unscaled_workload},
    StepFormRow{StepForm::loop, nullptr, "the loop scales no loss: marks.loss_scaling() told of no scaler",
                "a loop of one's own need not have steps beyond the counted ones"},
    StepFormRow{StepForm::inference, step_over<TorchInferenceStep, InferenceWorkload>,
                "an inference case scales no loss"},
};

static_assert(
    [] {
      for (std::size_t i = 0; i < step_forms.size(); ++i) {
        if (static_cast<std::size_t>(step_forms[i].form) != i) return false;
      }
      return true;
    }(),
    "step_forms lists the forms in the order of enum StepForm");

}  // namespace

const StepFormRow& row_of(StepForm form) { return step_forms.at(static_cast<std::size_t>(form)); }

BuiltStep build_step(const Case& test_case, const CaseContext& context, DeviceSide& device) {
  BuiltStep built;
  if (test_case.loop) {
    built.form = &row_of(StepForm::loop);
    built.step = std::make_unique<LoopStep>(test_case.loop, context);
    return built;
  }
  built.workload = test_case.make(context);
  if (!built.workload) throw Error(ErrorKind::usage, "the factory made no workload", "return one from Case::make");
  built.copier = device.make_copier();
  built.form = &row_of(built.workload->step_form());
  std::unique_ptr<TorchStep> step = built.form->over(*built.workload, *built.copier);
  built.over_workload = step.get();
  built.step = std::move(step);
  return built;
}

}  // namespace stepgate
