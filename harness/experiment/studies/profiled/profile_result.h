// A profile with what its processes observed.
#pragma once

#include <filesystem>
#include <vector>

#include "core/record/observed_work.h"
#include "core/study/profile.h"

namespace stepgate {

struct ProfileResult {
  Profile profile;  ///< without `files`
  /// The observed work of the processes of group profile that the table of operators rests on, for the stacks.
  std::vector<ObservedWork> observed = {};
  /// The traces of the first process, beside its record, one for each cycle of the schedule; empty if there is none.
  std::vector<std::filesystem::path> traces = {};
};

}  // namespace stepgate
