#include "judge/requests/open_loop_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

/// A queue that keeps up holds n requests with a probability of about load^n: 20 at a load of 0.7 in less than one look
/// of a thousand. Where requests come 10 % faster than they are answered, a tenth of all wait at the end.
constexpr std::int64_t fewest_waiting = 20;
constexpr double waiting_share = 0.05;

/// The requests that had arrived and were not begun when the last one arrived, without that one.
std::int64_t waiting_at_end(const OpenLoop& loop) {
  const std::size_t requests = std::min(loop.arrival_ns.size(), loop.latency_ns.size());
  if (requests == 0) return 0;
  const std::int64_t last_arrival = loop.arrival_ns[requests - 1];
  std::int64_t waiting = 0;
  for (std::size_t i = 1; i + 1 < requests; ++i) {
    const std::int64_t end_of_previous = loop.arrival_ns[i - 1] + loop.latency_ns[i - 1];
    waiting += std::max(loop.arrival_ns[i], end_of_previous) > last_arrival;
  }
  return waiting;
}

}  // namespace

OpenLoopState open_loop_state(const OpenLoop& loop) {
  OpenLoopState state;
  if (loop.capacity_per_s > 0) state.load = loop.rate_per_s / loop.capacity_per_s;
  state.waiting = waiting_at_end(loop);
  const double most = waiting_share * static_cast<double>(loop.arrival_ns.size());
  state.stable = state.waiting < fewest_waiting || static_cast<double>(state.waiting) <= most;
  return state;
}

std::string problem_of(const OpenLoopState& state, const OpenLoop& loop) {
  if (state.is_usable()) return "";
  const std::string figures =
      fmt::format("{} are {} of the capacity of {}", quantity_text(MetricUnit::requests_per_s, loop.rate_per_s),
                  share_text(state.load), quantity_text(MetricUnit::requests_per_s, loop.capacity_per_s));
  if (!state.stable) {
    return fmt::format("unstable: {} of {} still waited when the last one arrived; {}", state.waiting,
                       counted(std::ssize(loop.arrival_ns), "request"), figures);
  }
  return fmt::format("{}, above {}: give the case a lower request_rate_per_s", figures, share_text(most_load));
}

}  // namespace stepgate
