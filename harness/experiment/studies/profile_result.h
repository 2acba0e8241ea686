// A profile with what its processes observed.
#pragma once

#include <filesystem>
#include <vector>

#include "core/record/observed_work.h"
#include "core/study/profile.h"

namespace stepgate {

struct ProfileResult {
  Profile profile;  ///< without `files`
  /// Of the clean processes of group profile, for the stacks.
  std::vector<ObservedWork> observed = {};
  /// Of the first process, beside its record, one for each cycle of the schedule; empty where there is none.
  std::vector<std::filesystem::path> traces = {};
};

}  // namespace stepgate
