// What a run record says of the form of its step, as the step tells it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/pass.h"
#include "core/record/run_record.h"

namespace stepgate {

/// The pass that ran last, and what the passes so far have found.
struct PassSeen {
  Group group = Group::timed;
  const StepCounts& steps;
  bool found_gradients = false;  ///< by the numerics pass
};

struct StepFacts {
  std::string data_digest = {};                      ///< digest that the workload gives
  std::optional<std::int64_t> compile_seconds = {};  ///< as WholeStepWorkload says
  std::vector<KeptTensor> kept_tensors = {};         ///< since the workload was built
  std::map<std::string, std::string> absent = {};    ///< metric -> why this form of step has none
  std::optional<InferenceFacts> inference = {};      ///< of the requests since the workload was built
};

}  // namespace stepgate
