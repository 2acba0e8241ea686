#include "measure/passes/instructions_pass.h"

#include <string>

#include "measure/step/boundary_action.h"
#include "measure/step/step_checks.h"

namespace stepgate {

std::optional<InstructionCounts> run_instructions(StepActions& actions, InstructionCounter& counter,
                                                  const StepCounts& steps) {
  require_positive({"instructions", steps.instructions});
  require_not_negative({"exact_warmup", steps.exact_warmup});
  InstructionCounts counts;
  for (std::int64_t step = 0; step < steps.exact_warmup + steps.instructions; ++step) {
    std::int64_t in_step = 0;
    for (Boundary boundary : all_boundaries) {
      const auto before = counter.read();
      run_boundary(actions, boundary, step);
      const auto after = counter.read();
      if (!before || !after) return std::nullopt;
      if (step < steps.exact_warmup) continue;
      counts.by_boundary[std::string(name_of(boundary))] += *after - *before;
      in_step += *after - *before;
    }
    actions.release();
    if (step >= steps.exact_warmup) counts.per_step.push_back(in_step);
  }
  return counts;
}

}  // namespace stepgate
