#include "measure/profile/altered_step.h"

namespace stepgate {

void AlteredStep::load() {
  const std::int64_t asked_ns = backend_.now_ns();
  run([&] { step_.load(); });
  if (pace_) wait_until_(pace_->ready_ns(asked_ns, backend_.now_ns()));
}

}  // namespace stepgate
