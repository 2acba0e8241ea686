// The forms of a training step, one row each: what a case gives, and what follows from it. A case's step is built here.
#pragma once

#include <memory>
#include <string_view>

#include "measure/device/device_side.h"
#include "measure/step/torch_step.h"
#include "stepgate/perftest.h"
#include "stepgate/step_form.h"

namespace stepgate {

struct StepFormRow {
  StepForm form;
  /// The step over a workload of this form. nullptr: a loop of the user's own.
  std::unique_ptr<TorchStep> (*over)(Workload& workload, BatchCopier& copier);
  std::string_view unscaled;            ///< why skipped updates are absent where no loss scaler is known
  std::string_view no_more_steps = "";  ///< why no step may run after those that a pass counts; "" where some may
};

/// The row of a form; rows are in the order of StepForm.
const StepFormRow& row_of(StepForm form);

/// A step and what it runs over. Members are destroyed in reverse order: the step's batch, the buffers, the workload.
struct BuiltStep {
  const StepFormRow* form = nullptr;
  std::unique_ptr<Workload> workload = nullptr;  ///< nullptr: a loop, which is step and workload in one
  std::unique_ptr<BatchCopier> copier = nullptr;
  std::unique_ptr<TensorStep> step = nullptr;
  TorchStep* over_workload = nullptr;  ///< the same step; nullptr: a loop

  BuiltStep() = default;
  BuiltStep(BuiltStep&&) = default;
  BuiltStep& operator=(BuiltStep&&) = delete;  // it would destroy the workload before the step
};

/// Calls the factory or the loop of `test_case`. Throws what it throws, and Error(usage) where it makes no workload.
BuiltStep build_step(const Case& test_case, const CaseContext& context, DeviceSide& device);

}  // namespace stepgate
