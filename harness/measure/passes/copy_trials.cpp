#include "measure/passes/copy_trials.h"

#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

enum CopyMark : std::size_t { copies_begin, copies_end, copy_marks };

std::int64_t timed_copy_ns(CopyActions& actions, Backend& backend, std::size_t kind) {
  backend.synchronize();
  if (!backend.has_device_events()) {
    const std::int64_t begin_ns = backend.now_ns();
    actions.copy(kind);
    return backend.now_ns() - begin_ns;
  }
  backend.occupy(Stream::copy);
  backend.record_event(copies_begin, Stream::copy);
  actions.copy(kind);
  backend.record_event(copies_end, Stream::copy);
  backend.synchronize();
  return backend.elapsed_ns(copies_begin, copies_end);
}

}  // namespace

CopyTrials run_copies(CopyActions& actions, Backend& backend, std::int64_t trials) {
  require_positive({"h2d", trials});
  CopyTrials result;
  result.clock = backend.clock_name();
  result.simulated = backend.simulated_h2d();
  result.series = actions.kinds();
  if (backend.has_device_events()) backend.reserve_events(copy_marks);
  for (std::size_t kind = 0; kind < result.series.size(); ++kind) timed_copy_ns(actions, backend, kind);
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    for (std::size_t kind = 0; kind < result.series.size(); ++kind) {
      result.series[kind].trial_ns.push_back(timed_copy_ns(actions, backend, kind));
    }
  }
  return result;
}

}  // namespace stepgate
