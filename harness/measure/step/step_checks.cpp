#include "measure/step/step_checks.h"

#include <fmt/format.h>

#include "core/error.h"

namespace stepgate {

void require_positive(NamedCount count) {
  if (count.value > 0) return;
  throw Error(
      ErrorKind::usage, fmt::format("--stepgate_steps: {}={} must be at least 1", count.name, count.value),
      fmt::format("pass --stepgate_steps={}=N with N >= 1, or leave it out to run the case's own counts", count.name));
}

void require_not_negative(NamedCount count) {
  if (count.value >= 0) return;
  throw Error(ErrorKind::usage, fmt::format("--stepgate_steps: {}={} is negative", count.name, count.value),
              fmt::format("pass --stepgate_steps={}=N with N >= 0, or leave it out", count.name));
}

void require_whole_windows(NamedCount steps, std::int64_t window) {
  require_positive({"window", window});
  require_positive(steps);
  if (steps.value % window == 0) return;
  const std::int64_t next = (steps.value / window + 1) * window;
  throw Error(ErrorKind::usage,
              fmt::format("--stepgate_steps: {}={} is not a multiple of window={}", steps.name, steps.value, window),
              fmt::format("pass for example --stepgate_steps={}={},window={}", steps.name, next, window));
}

}  // namespace stepgate
