// A case measured in pairs that passes: 20 ms per step, .2 % noise, M = 3. Each test changes it in one respect.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/example_case.h"

namespace stepgate {

/// `count` pairs around `base`; the head slower by `change`.
inline std::vector<Pair> pairs_of(double base, double change, std::size_t count) {
  const double wobble[] = {.3, -1.2, .8, -.4, 1.5, -.1, -.7, .5, -1.6, .1, 1., -.9, .6, -.3, .2, -.5};
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double noise = 0.001 * wobble[i % 16];
    pairs.push_back({base * (1 - noise), base * (1 + change) * (1 + noise), wobble[i % 16] > 0});
  }
  return pairs;
}

/// The example case with pairs; stored sessions must not affect it.
struct PairedCase {
  ExampleCase example = example_case();
  PairedValues pairs;

  CaseVerdict judge() const {
    return judge_case({.current = example.values,
                       .runner = example.has_runner ? std::optional(example.runner) : std::nullopt,
                       .policy = example.policy,
                       .hypotheses = example.hypotheses,
                       .judge_exact = false,
                       .judge_timed = true,
                       .today = example.today,
                       .reference = PairedReference{.pairs = pairs}});
  }
  MetricVerdict step() const { return verdict_on(judge(), "step_time_ns"); }
};

inline PairedCase paired_case(double change, std::size_t count = 8) {
  PairedCase result;
  result.pairs.finished = true;
  for (const auto& [metric, values] : result.example.values.timed) {
    result.pairs.timed[metric] = pairs_of(values.front(), 0, count);
  }
  result.pairs.timed["step_time_ns"] = pairs_of(20e6, change, count);
  result.pairs.control = ControlResult{"example/mlp/tiny", "step_time_ns", pairs_of(20e6, 0, 8)};
  return result;
}

}  // namespace stepgate
