// The forms in which a case gives its training step. harness/measure/step/step_form.cpp has a row for each.
#pragma once

namespace stepgate {

enum class StepForm : unsigned char {
  phases,      ///< a Workload: forward, backward and optimizer
  whole_step,  ///< a WholeStepWorkload: one call
  loop,        ///< a loop of your own (Case::loop)
  inference    ///< an InferenceWorkload: each step answers a request
};

}  // namespace stepgate
