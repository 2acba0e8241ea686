// The experiments that this step allows, as variants of it, and why the others are not possible.
#pragma once

#include <torch/torch.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/study/experiment.h"
#include "measure/passes/timed_passes.h"
#include "measure/profile/experiments/altered_step.h"
#include "measure/profile/experiments/optimizer_seen.h"
#include "measure/profile/experiments/variant_blocks.h"
#include "measure/step/torch_step.h"

namespace stepgate {

struct VariantRequest {
  TimedRun& run;
  AlteredStep& altered;  ///< the step that `run` drives
  TorchStep* step;       ///< nullptr: a loop of the user's own
  bool on_cuda = false;
  std::int64_t ranks = 1;
  OptimizerSeen optimizer = {};
  LoaderFacts loader = {};
  std::int64_t delay_ns = 0;  ///< delay of delayed-loader: once as long and once twice as long
};

/// Experiments without a variant have a reason.
struct StepVariants {
  std::vector<StepVariant> variants;
  std::map<std::string, std::string> absent;
};

/// The variants refer to what `request` refers to.
StepVariants step_variants(const VariantRequest& request);

/// Leaves the unchanged step and the variants of `chosen`; none chosen: all of them.
void keep_chosen(const std::vector<Experiment>& chosen, StepVariants& variants);

}  // namespace stepgate
