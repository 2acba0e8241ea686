// Steps under the observer of operators, after as many without it.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "core/record/profile_run.h"
#include "measure/passes/timed_passes.h"

namespace stepgate {

struct ObservedSteps {
  ObservedWork work;
  std::int64_t observed_wall_ns = 0;
  std::int64_t unobserved_wall_ns = 0;
};

/// `steps` steps without and then with an observer that sorts by shape. `parameters` may be empty.
ObservedSteps observe_steps(TimedRun& run, const std::vector<torch::Tensor>& parameters, std::int64_t steps);

}  // namespace stepgate
