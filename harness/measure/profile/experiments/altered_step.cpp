#include "measure/profile/experiments/altered_step.h"

namespace stepgate {

void AlteredStep::run(Boundary boundary, std::int64_t step) {
  if (before_) before_(boundary);
  boundary == Boundary::data_wait ? load(step) : run_unpaced(boundary, step);
}

void AlteredStep::load(std::int64_t step) {
  const std::int64_t asked_ns = backend_.now_ns();
  run_unpaced(Boundary::data_wait, step);
  if (pace_) wait_until_(pace_->ready_ns(asked_ns, backend_.now_ns()));
}

void AlteredStep::run_unpaced(Boundary boundary, std::int64_t step) {
  step_.run(boundary, step);
  if (sync_) backend_.synchronize();
}

}  // namespace stepgate
