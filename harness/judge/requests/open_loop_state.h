// Whether the latencies of an open loop mean anything: they do while the queue empties again and again.
#pragma once

#include <cstdint>
#include <string>

#include "core/record/inference/request_times.h"

namespace stepgate {

/// Above this share of the capacity the latency depends more on the queue than on the code. Where each answer takes the
/// same time, 5 % slower code makes it 16 % longer at a load of 0.7 and 83 % longer at 0.9 (Pollaczek 1930, Khinchine
/// 1932: waiting goes with load / (1 - load)).
inline constexpr double most_load = 0.7;

struct OpenLoopState {
  double load = 0;           ///< rate asked for / capacity of the closed loop of the same process
  std::int64_t waiting = 0;  ///< requests that had arrived and were not begun when the last one arrived
  bool stable = true;        ///< false: the queue grew until the end

  bool is_usable() const { return stable && load <= most_load; }
};

OpenLoopState open_loop_state(const OpenLoop& loop);

/// Why its latencies are not compared, "" where they are: "unstable: ...", "the rate ...".
std::string problem_of(const OpenLoopState& state, const OpenLoop& loop);

}  // namespace stepgate
