#include "measure/passes/event_cost.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "measure/passes/step_window.h"

namespace stepgate {
namespace {

/// The median of the rounds: an interrupted round does not count.
constexpr std::size_t cost_rounds = 9;
constexpr std::size_t records_per_round = events_per_step;  // as many as the smallest window has reserved

std::int64_t record_ns(Backend& backend) {
  std::array<std::int64_t, cost_rounds> found{};
  for (std::int64_t& round_ns : found) {
    backend.synchronize();
    const std::int64_t begin_ns = backend.now_ns();
    for (std::size_t slot = 0; slot < records_per_round; ++slot) backend.record_event(slot, Stream::compute);
    round_ns = backend.now_ns() - begin_ns;
  }
  backend.synchronize();
  std::nth_element(found.begin(), found.begin() + cost_rounds / 2, found.end());
  return found[cost_rounds / 2] / static_cast<std::int64_t>(records_per_round);
}

}  // namespace

std::int64_t marked_window_every(std::int64_t cost_ns, std::int64_t step_ns) {
  if (cost_ns <= 0 || step_ns <= 0) return 1;
  const double allowed_ns = most_event_share * static_cast<double>(step_ns);
  return static_cast<std::int64_t>(std::max(1.0, std::ceil(static_cast<double>(cost_ns) / allowed_ns)));
}

EventCost measured_event_cost(Backend& backend, const StepBoundaries& boundaries, std::int64_t step_ns) {
  const bool copy_ends_wait = boundaries.place_of(Boundary::data_wait) + 1 == boundaries.place_of(Boundary::h2d);
  EventCost cost;
  cost.record_ns = record_ns(backend);
  cost.records_per_step =
      static_cast<std::int64_t>(marks_beside_boundaries + boundaries.order().size()) - (copy_ends_wait ? 1 : 0);
  const std::int64_t events_ns = cost.record_ns * cost.records_per_step;
  cost.marked_window_every = marked_window_every(events_ns, step_ns > events_ns ? step_ns - events_ns : step_ns);
  return cost;
}

}  // namespace stepgate
