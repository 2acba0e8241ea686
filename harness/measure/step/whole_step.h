// What a step that is one call has instead of forward, backward and optimizer, and which metrics are absent with it.
#pragma once

#include <map>
#include <string>

#include "core/record/run_record.h"
#include "core/step_boundaries.h"

namespace stepgate {

/// The first boundary that the step names itself.
inline constexpr Boundary whole_step_boundary = own_boundary(0);
/// Why forward, backward and optimizer have no times.
inline constexpr const char* one_compiled_step = "one compiled step";

/// data_wait, h2d, whole_step, logging.
StepBoundaries whole_step_boundaries();

/// What a workload whose step is one call was seen to do.
struct WholeStepFacts {
  bool hides_operators = false;  ///< as WholeStepWorkload says
  bool keeps_gradients = false;  ///< the numerics pass found some after the step
  bool is_graph = false;         ///< the step is a CUDA graph
};

/// For each metric that cannot be measured in such a step, the reason.
std::map<std::string, std::string> absent_in_whole_step(Group group, const WholeStepFacts& facts);

}  // namespace stepgate
