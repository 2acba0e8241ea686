// What the run of one case needs beyond the case.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/plan.h"
#include "core/process_place.h"
#include "measure/profile/profile_pass.h"
#include "measure/ranks/rank_context.h"
#include "stepgate/step_counts.h"

namespace stepgate {

struct RunSettings {
  std::uint64_t seed = Plan{}.seed;
  std::int64_t threads = 1;  ///< intra-op threads of timed passes
  std::filesystem::path data_dir;
  std::filesystem::path record = {};  ///< checkpoints are written beside it; empty: below the folder of temporary files
  StepCounts steps;
  RankContext rank_context = {};
  ProfileChoice profile = {};                     ///< group profile
  std::function<void()> yield = {};               ///< TimedRun::yield
  std::shared_ptr<ProcessPlace> place = nullptr;  ///< where the launcher can read it; nullptr: nobody reads it
};

}  // namespace stepgate
