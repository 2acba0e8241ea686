#include "measure/step/torch_whole_step.h"

#include <utility>

namespace stepgate {

TorchWholeStep::TorchWholeStep(WholeStepWorkload& workload, BatchCopier& copier)
    : TorchStep(workload, copier, whole_step_boundaries()), workload_(workload) {}

void TorchWholeStep::release() {
  if (!asked_for_graphs_ && graphs()) fix_addresses();
  asked_for_graphs_ = true;
  TorchStep::release();
}

void TorchWholeStep::run(Boundary boundary, std::int64_t step) {
  if (boundary != whole_step_boundary) return TorchStep::run(boundary, step);
  enter_boundary(boundary);
  set_loss(workload_.step(batch_on_device()));
  require_number(loss(), "WholeStepWorkload::step returned");
}

std::map<std::string, std::int64_t> TorchWholeStep::held_graphs() const {
  std::map<std::string, std::int64_t> held = TorchStep::held_graphs();
  // What logging does not hold is held since the boundary that made the graph.
  if (auto made = held.extract(std::string(name_of(Boundary::forward)))) {
    made.key() = whole_step_name;
    held.insert(std::move(made));
  }
  return held;
}

std::string_view TorchWholeStep::keeps_optimizer() const {
  return "one compiled step: its optimizer cannot be left out or replaced";
}

StepFacts TorchWholeStep::facts(const PassSeen& seen) const {
  StepFacts facts = TorchStep::facts(seen);
  facts.compile_seconds = workload_.compile_seconds();
  facts.absent = absent_in_whole_step(seen.group, {.hides_operators = workload_.hides_operators(),
                                                   .keeps_gradients = seen.found_gradients,
                                                   .is_graph = workload_.graphs().has_value()});
  return facts;
}

}  // namespace stepgate
