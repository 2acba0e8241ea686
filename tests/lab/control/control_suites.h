// Simulated A/B runs with an A/A control, in a place that may favour a side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/rules/paired_rule.h"
#include "lab/noise_model.h"
#include "lab/suite_outcome.h"

namespace stepgate::lab {

/// What disturbs whatever lies in the head's place: the head, and in the control the A/A copy.
struct ControlModel {
  std::string name;
  NoiseModel noise = {};
  double bias = 0;              ///< the copy is slower by this
  double hit = 1;               ///< the head is slower by so many times that ...
  bool handed_on = false;       ///< ... and judged by the control of another case; else each red has its own
  bool beyond_promise = false;  ///< the control cannot see it, or no factor covers it
};

/// Every model of the table, in its order.
std::vector<ControlModel> control_models();

struct ControlSuites {
  const ControlModel& model;
  const PairRule& rule;
  double change = 0;  ///< true relative change of every case
  std::int64_t suites = 10'000;
  std::int64_t cases = 20;
  std::uint64_t seed = 1;
};

/// By the rule; and by two others on the same pairs.
struct ControlOutcome : SuiteOutcome {
  std::int64_t red_suites_if_any_moves = 0;  ///< every moved control leaves every red open
  std::int64_t regressed_if_any_moves = 0;
  std::int64_t red_suites_without = 0;  ///< no control

  ControlOutcome& operator+=(const ControlOutcome& other);
};

/// A control is measured where a case is red, with as many pairs, and its draws change no other pair.
ControlOutcome simulate(const ControlSuites& plan);

}  // namespace stepgate::lab
