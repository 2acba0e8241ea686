#include "measure/passes/exact/instructions_pass.h"

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
    std::optional<std::int64_t> begin;
    bool failed = false;
    run_boundaries(
        actions, step, [&](Boundary) { begin = counter.read(); },
        [&](Boundary boundary) {
          const auto end = counter.read();
          failed = failed || !begin || !end;
          if (failed || step < steps.exact_warmup) return;
          counts.by_boundary[std::string(actions.boundaries().name(boundary))] += *end - *begin;
          in_step += *end - *begin;
        });
    if (failed) return std::nullopt;
    actions.release();
    if (step >= steps.exact_warmup) counts.per_step.push_back(in_step);
  }
  return counts;
}

}  // namespace stepgate
