#include "measure/passes/copy_trials.h"

#include <algorithm>
#include <vector>

#include "measure/step/step_checks.h"

namespace stepgate {
namespace {

enum CopyMark : std::size_t { copies_begin, copies_end, copy_marks };

/// Queueing may take longer in a trial than when it was measured.
constexpr std::int64_t occupation_over_queueing = 2;
/// Reading the clock and recording an event, where queueing itself takes next to nothing.
constexpr std::int64_t least_occupied_ns = 20'000;
/// A copy from pageable memory is complete when its call returns, so its queueing takes as long as the copy, and no
/// occupation hides that. The first copy of a process may also pay for what is loaded lazily.
constexpr std::int64_t most_occupied_ns = 20'000'000;

std::int64_t host_ns_of_copy(CopyActions& actions, Backend& backend, std::size_t kind) {
  backend.synchronize();
  const std::int64_t begin_ns = backend.now_ns();
  actions.copy(kind);
  return backend.now_ns() - begin_ns;
}

std::int64_t device_ns_of_copy(CopyActions& actions, Backend& backend, std::size_t kind, std::int64_t occupied_ns) {
  backend.synchronize();
  backend.occupy(Stream::copy, occupied_ns);
  backend.record_event(copies_begin, Stream::copy);
  actions.copy(kind);
  backend.record_event(copies_end, Stream::copy);
  backend.synchronize();
  return backend.elapsed_ns(copies_begin, copies_end);
}

/// How long the stream must be busy so that it does not wait for the host: by the copies that are not recorded.
std::vector<std::int64_t> occupations_ns(CopyActions& actions, Backend& backend, std::size_t kinds) {
  std::vector<std::int64_t> result;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::int64_t queueing_ns = host_ns_of_copy(actions, backend, kind);
    result.push_back(
        std::clamp(occupation_over_queueing * queueing_ns + least_occupied_ns, least_occupied_ns, most_occupied_ns));
  }
  return result;
}

}  // namespace

CopyTrials run_copies(CopyActions& actions, Backend& backend, std::int64_t trials) {
  require_positive({"h2d", trials});
  CopyTrials result;
  result.clock = backend.clock_name();
  result.simulated = backend.simulated_h2d();
  result.series = actions.kinds();
  const bool events = backend.has_device_events();
  if (events) backend.reserve_events(copy_marks);
  const std::vector<std::int64_t> occupied_ns = occupations_ns(actions, backend, result.series.size());
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    for (std::size_t kind = 0; kind < result.series.size(); ++kind) {
      result.series[kind].trial_ns.push_back(events ? device_ns_of_copy(actions, backend, kind, occupied_ns[kind])
                                                    : host_ns_of_copy(actions, backend, kind));
    }
  }
  return result;
}

}  // namespace stepgate
