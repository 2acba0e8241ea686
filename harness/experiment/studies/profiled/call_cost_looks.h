// The processes that run the calls of costly places twice: one look, or two where costs are told more narrowly.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/study/profile.h"
#include "launch/launch_request.h"

namespace stepgate {

struct CallCostStudy {
  const std::vector<CallCost>& places;
  LaunchRequest request;               ///< of the first look, with the calls of the places in `repeats`
  std::int64_t further_processes = 0;  ///< of a second look; 0: there is none
  double ignore_margin = 0.01;         ///< ExperimentRules::ignore_margin
  std::function<Measurement(const LaunchRequest&)> measure;
};

/// Costs of all places, as call_costs() orders them. A second look runs what the first one left undecided or told too
/// widely (places_of_next_look()), in a folder of its own. There is none where it has nothing to run, or where a
/// process of the first one failed or none was clean.
std::vector<CallCost> measured_call_costs(const CallCostStudy& study);

}  // namespace stepgate
