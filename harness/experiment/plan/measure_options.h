// How the processes of a case are to be measured, where that differs from the case's own plan.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/verdict/tier_choice.h"

namespace stepgate {

/// An absent value stays as the plan's default, or as the case declares it.
struct MeasureOptions {
  TierChoice tier = TierChoice::all;
  std::optional<std::int64_t> timed_replicates = {};
  std::optional<std::int64_t> exact_replicates = {};
  bool seeks_hazards = false;  ///< on an emulated GPU: one process more a case
  std::optional<std::int64_t> threads = {};
  std::optional<std::uint64_t> seed = {};  ///< seed of data and weights
  std::optional<double> timeout_s = {};
  std::string malloc_policy = {};                  ///< "tuned" or "system", "" for the plan's
  std::set<std::string> passed_variables = {};     ///< variables of the user's environment, on top of the usual ones
  std::map<std::string, std::int64_t> steps = {};  ///< step counts by name (system/step_count_list.h)
  std::string request_rate = {};                   ///< requests a second of an open loop; "" as the case declares
};

}  // namespace stepgate
